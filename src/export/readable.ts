import { stripVTControlCharacters } from 'node:util';
import { isInContext, type Turn } from '../session/conversation.ts';
import type { SessionSummary } from '../session/summary.ts';

// C0 but tab and line feed, DEL and C1: nothing that a reader could see.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const MAX_TITLE = 120;

/** Text for people: without the colours and cursor moves of a terminal, and nothing invisible. */
export function toReadable(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\r\n', '\n').replace(CONTROL, '\ufffd');
}

/** What a person would call the session: its name, else how it began. One line. */
export function getTitle({ name, firstMessage }: SessionSummary): string {
  const text = toReadable(name ?? firstMessage)
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > MAX_TITLE ? `${text.slice(0, MAX_TITLE - 1)}…` : text || '(untitled)';
}

/** Who speaks, as a heading. */
export function getSpeaker(turn: Turn): string {
  switch (turn.role) {
    case 'user':
      return 'User';
    case 'assistant':
      return 'Assistant';
    case 'toolResult':
      return `Tool result: ${turn.toolName || '?'}${turn.isError ? ' (error)' : ''}`;
    case 'system':
      return 'System';
    case 'bash':
      return `Command${isInContext(turn) ? '' : ' (not shown to the model)'}`;
    case 'custom':
      return `Extension: ${turn.customType || '?'}${turn.hidden ? ' (hidden)' : ''}`;
    case 'summary':
      return turn.kind === 'compaction' ? 'Compaction summary' : 'Branch summary';
    case 'note':
      return 'Note';
  }
}

/** How an answer or a command ended, where that is worth a word. */
export function getEnding(turn: Turn): string | undefined {
  if (turn.role === 'assistant') {
    if (turn.errorMessage !== undefined) return `Error: ${turn.errorMessage}`;
    const usual = turn.stopReason === undefined || ['stop', 'toolUse'].includes(turn.stopReason);
    return usual ? undefined : `Ended early: ${turn.stopReason}`;
  }
  if (turn.role !== 'bash') return undefined;
  const ends = [
    turn.cancelled ? 'cancelled' : undefined,
    turn.exitCode === undefined || turn.exitCode === 0 ? undefined : `exit code ${turn.exitCode}`,
    turn.truncated ? 'output cut off' : undefined,
  ];
  return ends.filter((end) => end !== undefined).join(', ') || undefined;
}

/** Of all bookkeeping, only a change of model, effort or name says something to a reader. */
export function isWorthReading(turn: Turn): boolean {
  if (turn.role === 'note') return WORTH_A_NOTE.has(turn.entry.type);
  return turn.blocks.length > 0 || getEnding(turn) !== undefined || turn.role === 'bash';
}

const WORTH_A_NOTE: ReadonlySet<string> = new Set([
  'model_change',
  'thinking_level_change',
  'session_info',
]);
