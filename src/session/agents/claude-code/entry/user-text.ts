import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { getBlocks, getMessage } from '../format.ts';

const COMMAND_NAME = /<command-name>([^<]{0,200})<\/command-name>/;
const COMMAND_ARGS = /<command-args>([^<]{0,4000})<\/command-args>/;
const BASH_INPUT = '<bash-input>';
/** The beginnings of texts that no user has typed. */
const HARNESS_STARTS = [
  '<system-reminder>',
  '<local-command-stdout>',
  '<local-command-stderr>',
  '<local-command-caveat>',
  '<bash-stdout>',
  '<bash-stderr>',
  '<task-notification>',
  '<command-message>',
  'Caveat: ',
  '[Request interrupted by user',
] as const;

/** The texts of a message, a line between them. */
export function getText(value: JsonObject): string {
  return listTexts(value).join('\n');
}

/**
 * Returns the text that the user typed, as the client's list of sessions shows it: a command with its
 * arguments, `! ls` for a command of the shell. Undefined for text of the client or a tool.
 */
export function toTyped(value: JsonObject): string | undefined {
  if (value['type'] !== 'user' || value['isMeta'] === true || value['isCompactSummary'] === true) {
    return undefined;
  }
  const texts = listTexts(value).map(toTypedText);
  return texts.find((text) => text !== undefined && text.trim() !== '');
}

function listTexts(value: JsonObject): readonly string[] {
  const content = getMessage(value)?.['content'];
  if (typeof content === 'string') return [content];
  const blocks = getBlocks(value).filter(({ type }) => type === 'text');
  return blocks.map((block) => getString(block, 'text') ?? '');
}

/** Returns the text that the user typed in one text. */
export function toTypedText(text: string): string | undefined {
  if (text.startsWith('<command-name>') || text.startsWith('<command-message>')) {
    const name = COMMAND_NAME.exec(text)?.[1];
    const given = COMMAND_ARGS.exec(text)?.[1]?.trim() ?? '';
    return name === undefined ? undefined : `${toCommand(name)} ${given}`.trim();
  }
  if (text.startsWith(BASH_INPUT)) {
    const end = text.indexOf('</bash-input>');
    return `! ${text.slice(BASH_INPUT.length, end < 0 ? undefined : end)}`;
  }
  return isHarnessText(text) ? undefined : text;
}

function toCommand(name: string): string {
  return name.startsWith('/') ? name : `/${name}`;
}

/** Returns whether a text in a user's place was written by the client and not typed. */
export function isHarnessText(text: string): boolean {
  return HARNESS_STARTS.some((start) => text.startsWith(start));
}
