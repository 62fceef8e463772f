import { getString } from '../../session/jsonl/edit/json.ts';
import { shorten } from '../../session/model/text/cut-text.ts';
import type { Action, Turn } from './turns.ts';

const EXIT_CODE = /(?:exited with code|exit code:?|exit status:?)\s+(-?\d+)/i;
const ERROR_LINE = /\b(?:error|failed|failure|fatal|exception|cannot|not found|denied)\b|✗|✖|×/i;
const DIRECTORY = /^(?:cd\s+(?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;)\s*)+/;
const FILTER = /(?<!\s)\s*(?:2>&1\s*)?\|\s*(?:head|tail|grep|less|cat|wc|sort)\b[^]*/;
/** Commands that say with their exit code that there was nothing to be found. */
const SEARCH = /^(?:grep|rg|ag|find|ls|test|diff|which|git (?:grep|diff))\b/;
const MAX_SCANNED = 20_000;

export function getActions(turns: readonly Turn[]): readonly Action[] {
  return turns.flatMap(({ actions }) => actions);
}

/** The shell command of a call; undefined for other tools. */
export function getCommand({ call }: Action): string | undefined {
  return getString(call.arguments, 'command') ?? getString(call.arguments, 'cmd');
}

/** The file that a call is about. */
export function getPath({ call }: Action): string | undefined {
  return getString(call.arguments, 'path') ?? getString(call.arguments, 'file_path');
}

export function hasFailed({ result }: Action): boolean {
  if (result === undefined) return false;
  const [, code = '0'] = EXIT_CODE.exec(result.text.slice(-400)) ?? [];
  return result.isError || code !== '0';
}

/** A command without what only says where to run it and how much to show. */
export function toPlainCommand(command: string): string {
  const [first = ''] = command.trim().split('\n');
  const plain = first
    .replace(DIRECTORY, '')
    .replace(FILTER, '')
    .replace(/(?<!\s)\s*2>&1$/, '');
  return shorten(plain, 120);
}

/** Makes the key that two attempts at the same thing share. */
export function toAttempt(action: Action): string {
  const command = getCommand(action);
  const subject = command === undefined ? (getPath(action) ?? '') : toPlainCommand(command);
  return `${action.call.name} ${subject}`;
}

/** Returns whether a failure is an answer: nothing was found. */
export function hasFoundNothing(action: Action): boolean {
  const command = getCommand(action);
  return command !== undefined && SEARCH.test(toPlainCommand(command));
}

/** The line of an output that says best what went wrong. */
export function getErrorLine(text: string): string {
  const lines = text
    .slice(-MAX_SCANNED)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const found =
    lines.find((line) => line.length <= 300 && ERROR_LINE.test(line)) ??
    lines.at(-1) ??
    'no output';
  return shorten(found, 200);
}
