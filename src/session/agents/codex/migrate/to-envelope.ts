import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { spliceObject } from '../../../jsonl/edit/splice.ts';
import { getText, isTyped } from '../entry/typed.ts';
import { isBareHeader, isBareState, isCodexLine } from '../format.ts';

/** The members of an envelope, which a file without envelopes lacks. */
export interface Envelope {
  /** ISO 8601: that of the header, since the lines have none. */
  readonly timestamp: string;
  readonly cwd: string;
}

/** The version for files without one, which are older than any with one. */
const CLI_VERSION = '0.0.0';
const LF = Buffer.from('\n');

/**
 * A line without an envelope as lines with one, joined by LF: its bytes, and behind a prompt or an
 * answer the event without which Codex neither lists the thread nor shows the turn. Undefined for a
 * line that says nothing. What is not a line of such a file is left as it is.
 */
export function toEnvelope(
  bytes: Buffer,
  value: JsonObject,
  envelope: Envelope,
): Buffer | undefined {
  if ('payload' in value || !isCodexLine(value)) return bytes;
  if (isBareHeader(value)) return toHeader(bytes, envelope);
  if (isBareState(value)) return undefined;
  const item = wrap('response_item', bytes, envelope);
  const event = toEvent(value);
  if (!event) return item;
  const shown = wrap('event_msg', Buffer.from(JSON.stringify(event)), envelope);
  return Buffer.concat([item, LF, shown]);
}

function toHeader(bytes: Buffer, envelope: Envelope): Buffer {
  const facts = [
    { key: 'cwd', value: JSON.stringify(envelope.cwd) },
    { key: 'originator', value: '"codex_cli_rs"' },
    { key: 'cli_version', value: JSON.stringify(CLI_VERSION) },
    { key: 'source', value: '"cli"' },
  ];
  return wrap(
    'session_meta',
    spliceObject(bytes, facts, { after: 'timestamp' }) ?? bytes,
    envelope,
  );
}

function wrap(type: string, payload: Buffer, { timestamp }: Envelope): Buffer {
  const before = `{"timestamp":${JSON.stringify(timestamp)},"type":"${type}","payload":`;
  return Buffer.concat([Buffer.from(before), payload, Buffer.from('}')]);
}

/** Makes the event that shows a message to people; undefined if there is none. */
function toEvent(item: JsonObject): JsonObject | undefined {
  if (isTyped(item)) return { type: 'user_message', message: getText(item), kind: 'plain' };
  const isAnswer = item['type'] === 'message' && getString(item, 'role') === 'assistant';
  return isAnswer ? { type: 'agent_message', message: getText(item) } : undefined;
}
