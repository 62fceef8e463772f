import type { SessionSummary } from '../../session/model/summary.ts';
import { isInContext, type Turn } from '../../session/model/text/conversation.ts';
import { mayHide, replaceHidden } from '../../session/model/text/hidden-characters.ts';

/**
 * Sequences that a terminal obeys and does not show: colors, cursor moves, titles (ECMA-48). Node's
 * `stripVTControlCharacters` takes quadratic time on `ESC ;#;#;#…` (20.20).
 */
export const TERMINAL_SEQUENCE =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;

const MAX_TITLE = 120;
/** The limit of a name, a label or a reason; hostile ones may be as long as a file. */
const MAX_FACT = 500;

/** A move of the cursor to the right, by which terminals of Windows write blanks. */
const FORWARD =
  // oxlint-disable-next-line no-control-regex
  /^(?:\u001b\[|\u009b)(?<columns>\d{0,3})C$/;

/**
 * Text for people: without the colors and cursor moves of a terminal, but with the gaps that these leave in a line, and
 * every character that they could not see shown as U+FFFD.
 */
export function toReadable(text: string): string {
  // Every sequence begins with a hidden character; few texts have one.
  if (!mayHide(text)) return text;
  const plain = text.replace(TERMINAL_SEQUENCE, toGap);
  return replaceHidden(plain, (char, at) => {
    if (char === '\r' && plain[at + 1] === '\n') return '';
    return LINE_ENDS.has(char) ? '\n' : '\ufffd';
  });
}

function toGap(sequence: string): string {
  const { columns } = FORWARD.exec(sequence)?.groups ?? {};
  return columns === undefined ? '' : ' '.repeat(Math.max(1, Number(columns)));
}

/** Characters that end a line for JavaScript. */
const LINE_ENDS: ReadonlySet<string> = new Set(['\u2028', '\u2029']);

/** The beginning of a text that has the length of a fact, unless somebody means harm. */
export function toFact(text: string): string {
  return text.length > MAX_FACT ? `${text.slice(0, MAX_FACT - 1)}…` : text;
}

/** Returns the title of a session: its name, or else its first message. One line. */
export function getTitle({ name, firstMessage }: SessionSummary): string {
  const text = toReadable((name ?? firstMessage).slice(0, 10 * MAX_TITLE))
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE - 1)}…` : text || '(untitled)';
}

/** Returns the speaker of a turn, as a heading. */
export function getSpeaker(turn: Turn): string {
  switch (turn.role) {
    case 'user':
      return 'User';
    case 'assistant':
      return 'Assistant';
    case 'toolResult':
      return `Tool result: ${toFact(turn.toolName) || '?'}${turn.isError ? ' (error)' : ''}`;
    case 'system':
      return 'System';
    case 'bash':
      return `Command${isInContext(turn) ? '' : ' (not shown to the model)'}`;
    case 'custom':
      return `Extension: ${toFact(turn.customType) || '?'}${turn.hidden ? ' (hidden)' : ''}`;
    case 'summary':
      return turn.kind === 'compaction' ? 'Compaction summary' : 'Branch summary';
    case 'note':
      return 'Note';
  }
}

/** Describes the end of an answer or a command, if it is unusual. */
export function getEnding(turn: Turn): string | undefined {
  if (turn.role === 'assistant') {
    if (turn.errorMessage !== undefined) return `Error: ${turn.errorMessage}`;
    const usual = turn.stopReason === undefined || ['stop', 'toolUse'].includes(turn.stopReason);
    return usual ? undefined : `Ended early: ${toFact(turn.stopReason ?? '')}`;
  }
  if (turn.role !== 'bash') return undefined;
  const ends = [
    turn.cancelled ? 'cancelled' : undefined,
    turn.exitCode === undefined || turn.exitCode === 0 ? undefined : `exit code ${turn.exitCode}`,
    turn.truncated ? 'output cut off' : undefined,
  ];
  return ends.filter((end) => end !== undefined).join(', ') || undefined;
}

/**
 * Whether a reader needs the turn: of all bookkeeping, only a change of model, effort or name; a call that failed
 * also if it gave nothing back.
 */
export function isWorthReading(turn: Turn): boolean {
  if (turn.role === 'note') return WORTH_A_NOTE.has(turn.entry.type);
  if (turn.role === 'bash' || (turn.role === 'toolResult' && turn.isError)) return true;
  return turn.blocks.length > 0 || getEnding(turn) !== undefined;
}

const WORTH_A_NOTE: ReadonlySet<string> = new Set([
  'model_change',
  'thinking_level_change',
  'session_info',
]);
