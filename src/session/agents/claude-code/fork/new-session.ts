import type { Piece } from '../../../jsonl/write/compose-file.ts';
import { findValue, type MemberEdit, readValue, spliceObject } from '../../../jsonl/edit/splice.ts';
import type { Entry } from '../../../model/entry.ts';
import { toOneLine } from '../../../model/text/cut-text.ts';
import type { ClaudeCodeEntry } from '../entry/to-entry.ts';
import { type AsideType, ORIGIN_TYPES, REQUEST_TYPES } from '../format.ts';
import { findEnd } from './fork-path.ts';

const BRANCH = ' (branch)';
/** Another model took over when one refused: a fork begins with the first one again. */
const REFUSAL = 'model_refusal_fallback';

/**
 * The types of lines that forks do not get: copies of requests, origins, costs, backups of files, and those that are
 * true of the source alone, such as that it ended, or where it goes on.
 */
const LEFT: ReadonlySet<string> = new Set<AsideType>([
  ...REQUEST_TYPES,
  ...ORIGIN_TYPES,
  'cost-state',
  'queue-operation',
  'file-history-snapshot',
  'file-history-delta',
  'continued-in',
  'bridge-session',
  'ended-by-model',
  'frame-link',
]);

/** Settings that a fork of a path continues with: the last line of each counts. */
const SETTINGS: ReadonlySet<string> = new Set<AsideType>([
  'ai-title',
  'tag',
  'agent-color',
  'agent-setting',
  'mode',
  'permission-mode',
  'session-mode',
  'atis-latch',
  'tools-used',
  'repl-mode',
  'hybrid-organization',
  'history-suppression',
]);

/** Settings that add up: every line counts. */
const ADDED: ReadonlySet<string> = new Set<AsideType>(['content-replacement', 'memory-mode']);

/** Settings that say where the session works: none of a fork that works in another directory. */
const PLACES: ReadonlySet<string> = new Set<AsideType>(['worktree-state', 'relocated']);

/** The sessions that lines are copied from and to. */
export interface Passage {
  readonly from: string;
  readonly to: string;
  /** The new working directory; undefined: that of each line. */
  readonly cwd: string | undefined;
}

/**
 * The lines of a fork of a path, as `--fork-session` and `/branch` of 2.1.332 write them: each entry
 * where the client attaches it, and at the end the title and the leaf, where the client looks for them.
 */
export function toPathPieces(
  entries: readonly ClaudeCodeEntry[],
  path: readonly Entry[],
  passage: Passage,
  name: string | undefined,
): readonly Piece[] {
  const ids = new Set(path.map(({ id }) => id));
  const nodes = path.map((entry): Piece => {
    const { parentId } = entry;
    const parent = parentId !== null && ids.has(parentId) ? parentId : null;
    return { span: entry, change: (bytes) => copyNode(bytes, entry, passage, parent) };
  });
  return [
    ...listSettings(entries, passage).map((entry) => copyAside(entry, passage)),
    ...nodes,
    ...toTitles(entries, passage, name),
    ...toLeafLine(findEnd(path)?.id, passage),
  ];
}

/** Lists the lines of all that was said on any branch; where it continues is written in the lines themselves. */
export function listWhole(
  entries: readonly ClaudeCodeEntry[],
  { cwd }: Passage,
): readonly ClaudeCodeEntry[] {
  const isStale = ({ type }: Entry): boolean => PLACES.has(type) && cwd !== undefined;
  return entries.filter((entry) => !LEFT.has(entry.type) && !isStale(entry));
}

/** The lines of a fork of all branches. */
export function toWholePieces(
  entries: readonly ClaudeCodeEntry[],
  passage: Passage,
  name: string | undefined,
): readonly Piece[] {
  const pieces = listWhole(entries, passage).map((entry): Piece => {
    if (entry.aside) return copyAside(entry, passage);
    return { span: entry, change: (bytes) => copyNode(bytes, entry, passage) };
  });
  return [...pieces, ...toTitles(entries, passage, name)];
}

function listSettings(
  entries: readonly ClaudeCodeEntry[],
  { cwd }: Passage,
): readonly ClaudeCodeEntry[] {
  const last = new Map<string, ClaudeCodeEntry>();
  const added = entries.filter(({ aside, type }) => aside && ADDED.has(type));
  for (const entry of entries) {
    const isKept = SETTINGS.has(entry.type) || (PLACES.has(entry.type) && cwd === undefined);
    if (entry.aside && isKept) last.set(entry.type, entry);
  }
  return [...last.values(), ...added];
}

/** A person's title, with a note; as `/rename` writes it, for the client and for its agent. */
function toTitles(
  entries: readonly ClaudeCodeEntry[],
  { to }: Passage,
  name: string | undefined,
): readonly Piece[] {
  const title = entries.findLast(({ type }) => type === 'custom-title')?.name;
  const text = name ?? (title ? `${title}${BRANCH}` : undefined);
  return text === undefined
    ? []
    : toTitleLines(text, to).map((line) => ({ text: JSON.stringify(line) }));
}

/** Makes the lines that `/rename` appends. */
export function toTitleLines(name: string, sessionId: string) {
  const title = toOneLine(name);
  return [
    { type: 'custom-title', customTitle: title, sessionId },
    { type: 'agent-name', agentName: title, sessionId },
  ];
}

function toLeafLine(leafUuid: string | undefined, { to: sessionId }: Passage): readonly Piece[] {
  return leafUuid === undefined
    ? []
    : [{ text: JSON.stringify({ type: 'last-prompt', leafUuid, sessionId }) }];
}

function copyAside(entry: Entry, passage: Passage): Piece {
  return { span: entry, change: (bytes) => splice(bytes, toSessionEdit(bytes, passage)) };
}

/** `parent`: that of the copy; its own unless given. */
function copyNode(
  bytes: Buffer,
  { id, role, customType }: Entry,
  { from, to, cwd }: Passage,
  parent?: string | null,
): Buffer {
  const has = (key: string): boolean => findValue(bytes, [key]) !== undefined;
  const edits = [...toSessionEdit(bytes, { from, to, cwd })];
  if (parent !== undefined && (readValue(bytes, ['parentUuid']) ?? null) !== parent) {
    edits.push({ key: 'parentUuid', value: JSON.stringify(parent) });
  }
  if (cwd !== undefined) edits.push({ key: 'cwd', value: JSON.stringify(cwd) });
  // A plan has a slug; the fork makes its own.
  if (has('slug')) edits.push({ key: 'slug', value: undefined });
  // The client lists no session of its background service, which a fork is not.
  if (has('sessionKind')) edits.push({ key: 'sessionKind', value: undefined });
  if (customType === REFUSAL) edits.push({ key: 'neutralizedByFork', value: 'true' });
  if (role === 'assistant' && !has('requestSessionId')) {
    edits.push({ key: 'requestSessionId', value: JSON.stringify(from) });
  }
  const origin = { sessionId: from, messageUuid: id };
  edits.push({ key: 'forkedFrom', value: JSON.stringify(origin) });
  return splice(bytes, edits);
}

function toSessionEdit(bytes: Buffer, { to }: Passage): readonly MemberEdit[] {
  const has = findValue(bytes, ['sessionId']) !== undefined;
  return has ? [{ key: 'sessionId', value: JSON.stringify(to) }] : [];
}

function splice(bytes: Buffer, edits: readonly MemberEdit[]): Buffer {
  return spliceObject(bytes, edits, { after: 'sessionId' }) ?? bytes;
}
