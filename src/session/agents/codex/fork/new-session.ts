import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { getObject, getString, isObject } from '../../../jsonl/edit/json.ts';
import { type MemberEdit, spliceObject } from '../../../jsonl/edit/splice.ts';
import type { Piece } from '../../../jsonl/write/compose-file.ts';
import type { Entry, Header } from '../../../model/entry.ts';
import { parseStoredLine } from '../../../read/turns/payloads.ts';
import { isPrompt } from '../entry/turn-limits.ts';
import { BARE_VERSION, CURRENT_VERSION } from '../format.ts';
import { selectCopied } from './flattening.ts';
import { setCwd } from '../migrate/move-cwd.ts';
import { type Envelope, toEnvelope } from '../migrate/to-envelope.ts';
import { POINTERS } from '../index/place-path.ts';

/** The identity of a fork, and its source. */
export interface Passage {
  readonly path: string;
  readonly version: number;
  readonly header: Header;
  readonly id: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** The new working directory; undefined: that of the source. */
  readonly cwd: string | undefined;
}

/** The members of a header that are about the source alone: its origin, and the files that it needs. */
const OWN_FACTS = [
  ...POINTERS,
  'parent_thread_id',
  'subagent_history_start_ordinal',
  'attached_thread',
  'agent_nickname',
  'agent_role',
  'agent_type',
  'agent_path',
  'context_window',
] as const;

/** The lines of a fork, and what is known of them. */
export interface NewSession {
  readonly pieces: readonly Piece[];
  readonly entryCount: number;
  /** The leaf of the new file. */
  readonly leafId: string | null;
}

/**
 * A file that holds all of a path itself: the lines as they are, also those of other files, with
 * ordinals without gaps where the source has ordinals.
 */
export function toNewSession(entries: readonly Entry[], passage: Passage): NewSession {
  const { version, header, timestamp } = passage;
  const envelope = { timestamp: header.timestamp ?? timestamp, cwd: header.cwd };
  const moved = passage.cwd === undefined ? undefined : findLastCwds(entries);
  const pieces: Piece[] = [
    { span: header, change: (bytes) => toForkHeader(bytes, envelope, passage) },
  ];
  let line = 1;
  let leafId: string | null = null;
  for (const entry of selectCopied(entries, version)) {
    line += version === BARE_VERSION ? countLines(entry) : 1;
    leafId = entry.type === 'task_started' ? (entry.id ?? null) : `line-${line}`;
    if (version === BARE_VERSION && entry.type === 'state') continue;
    const ordinal = line - 1;
    const cwd = moved?.has(entry) ? passage.cwd : undefined;
    const change =
      version === CURRENT_VERSION || version === BARE_VERSION || cwd !== undefined
        ? (bytes: Buffer) => copyLine(bytes, entry, { ...passage, cwd }, { ordinal, envelope })
        : undefined;
    pieces.push({ span: entry, change });
  }
  return { pieces, entryCount: line - 1, leafId };
}

/** Bare lines that say nothing are left out, and what is shown of a message gets a line of its own. */
function countLines(entry: Entry): number {
  if (entry.type === 'state') return 0;
  return isPrompt(entry) || entry.role === 'assistant' ? 2 : 1;
}

/** The lines from which Codex knows where a thread continues. */
function findLastCwds(entries: readonly Entry[]): ReadonlySet<Entry> {
  const last = ['thread_settings_applied', 'turn_context'].flatMap(
    (type) => entries.findLast((entry) => entry.type === type) ?? [],
  );
  return new Set(last);
}

function copyLine(
  bytes: Buffer,
  entry: Entry,
  { path, version, cwd }: Passage,
  { ordinal, envelope }: { readonly ordinal: number; readonly envelope: Envelope },
): Buffer {
  const value = parseStoredLine(bytes, entry, path);
  if (version === BARE_VERSION) return toEnvelope(bytes, value, envelope) ?? bytes;
  const placed = cwd === undefined ? bytes : setCwd(bytes, value, cwd);
  if (version !== CURRENT_VERSION || value['ordinal'] === ordinal) return placed;
  const edits = [{ key: 'ordinal', value: String(ordinal) }];
  return spliceObject(placed, edits, { after: 'timestamp' }) ?? placed;
}

function toForkHeader(stored: Buffer, envelope: Envelope, passage: Passage): Buffer {
  const { path, version, header, id, timestamp, cwd } = passage;
  const read = (bytes: Buffer): JsonObject => parseStoredLine(bytes, header, path);
  const own = version === BARE_VERSION ? toEnvelope(stored, read(stored), envelope) : undefined;
  const bytes = own ?? stored;
  const value = read(bytes);
  const payload = getObject(value, 'payload') ?? {};
  const texts = { session_id: id, id, forked_from_id: header.id, timestamp };
  const edits: MemberEdit[] = [
    ...Object.entries(texts).map(([key, text]) => ({ key, value: JSON.stringify(text) })),
    ...OWN_FACTS.map((key) => ({ key, value: undefined })),
    ...toPersons(payload),
  ];
  const named = spliceObject(bytes, edits, { at: ['payload'], after: 'id' }) ?? bytes;
  const placed = cwd === undefined ? named : setCwd(named, value, cwd);
  const outer = [{ key: 'timestamp', value: JSON.stringify(timestamp) }];
  const ordinal = version === CURRENT_VERSION ? [{ key: 'ordinal', value: '0' }] : [];
  return spliceObject(placed, [...outer, ...ordinal], { after: 'timestamp' }) ?? placed;
}

/** A fork of a sub-agent is a thread like others. */
function toPersons(payload: JsonObject): readonly MemberEdit[] {
  const edits: MemberEdit[] = [];
  if (isObject(payload['source'])) edits.push({ key: 'source', value: '"cli"' });
  const by = getString(payload, 'thread_source');
  if (by === 'subagent') edits.push({ key: 'thread_source', value: undefined });
  return edits;
}
