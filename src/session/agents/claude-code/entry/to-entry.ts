import type { Entry, LineSpan, ModelRef } from '../../../model/entry.ts';
import {
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listStrings,
  toTime,
} from '../../../jsonl/edit/json.ts';
import { isHarnessText } from './user-text.ts';
import {
  getBlocks,
  getMessage,
  isBoundaryLine,
  isCompactSummary,
  isNode,
  isSidechainLine,
  isToolResult,
  isTypedCommand,
} from '../format.ts';

/** Nodes from before a boundary that the client keeps behind it. */
export interface Preserved {
  /** The node that they are attached to; null for none. */
  readonly anchorId: string | null;
  /** The ids in their order; undefined where only both ends are named. */
  readonly ids: readonly string[] | undefined;
  readonly headId: string | undefined;
  readonly tailId: string | undefined;
}

/**
 * The part of a line that is kept in memory. `parentId` is the entry that the client attaches it to, which
 * need not be the one that the line names.
 */
export interface ClaudeCodeEntry extends Entry {
  /** The parent on the line, if the client attaches the entry to another. */
  readonly writtenParentId?: string | null | undefined;
  /** Its parent stands in for one that is not there. */
  readonly isBridged?: true | undefined;
  /** Whether the entry is one of a sub-agent, in the file of its session (1.0). */
  readonly isSidechain?: true | undefined;
  /** The nodes that a boundary keeps. */
  readonly preserved?: Preserved | undefined;
  /**
   * Whether the user has chosen the leaf of this `last-prompt`, or has emptied the conversation.
   */
  readonly isPinned?: true | undefined;
  /** The client does not read its message, and steps over it. */
  readonly isBroken?: true | undefined;
  /** Whether the client has added this message of a user, which holds no result, or has queued this text itself. */
  readonly isMeta?: true | undefined;
  /** The calls that it makes, or has the results of; one of them mostly. */
  readonly calls?: string | readonly string[] | undefined;
  /** The offset of the first line of its id, where that has several. */
  readonly firstOffset?: number | undefined;
}

/** Returns whether an entry can be the end of the conversation. */
export function isLeafCandidate({ type, aside, isSidechain, isBroken }: ClaudeCodeEntry): boolean {
  return aside !== true && isSidechain !== true && isBroken !== true && LEAF_TYPES.has(type);
}

/** The parent that the line of an entry names, wherever the client attaches the entry. */
export function getWrittenParent({ writtenParentId, parentId }: ClaudeCodeEntry): string | null {
  return writtenParentId === undefined ? parentId : writtenParentId;
}

/** The ids of the calls that an entry makes, or has the results of. */
export function getCalls({ calls = NONE }: ClaudeCodeEntry): readonly string[] {
  return typeof calls === 'string' ? [calls] : calls;
}

const NONE: readonly string[] = [];

/** The ids of the calls that an entry makes; none for one that has results. */
export function callsOf(entry: ClaudeCodeEntry): readonly string[] {
  return entry.role === 'assistant' ? getCalls(entry) : NONE;
}

/** The ids of the calls that an entry has the results of. */
export function resultsOf(entry: ClaudeCodeEntry): readonly string[] {
  return entry.role === 'toolResult' ? getCalls(entry) : NONE;
}

/** Returns whether an entry is of a line of a user or an assistant. */
export function isMessage({ type }: Pick<ClaudeCodeEntry, 'type'>): boolean {
  return type === 'message' || type === 'compaction';
}

const BOUNDARY = 'compact_boundary';

/** Returns whether an entry is where a compaction ends what came before. */
export function isBoundary({ customType, type }: Pick<Entry, 'customType' | 'type'>): boolean {
  return type === 'system' && customType === BOUNDARY;
}

/** Returns whether the client steps over an entry. */
export function isPassed({ type, isBroken }: ClaudeCodeEntry): boolean {
  return type === 'progress' || isBroken === true;
}

/** The types of entries at which the conversation can end. */
const LEAF_TYPES: ReadonlySet<string> = new Set(['message', 'compaction', 'attachment', 'system']);

/** The facts that decide how an entry is made of a line. */
export interface EntryOrigin {
  /** The file holds the conversation of a sub-agent, and nothing else. */
  readonly isSubagent: boolean;
  /** The entry of a line above, of which it shares texts that are the same. */
  readonly before: ClaudeCodeEntry | undefined;
}

/**
 * The index entry of a parsed line. A line without a uuid stands beside the tree. All entries of the tree
 * are made in one place with the same members: see `docs/performance.md`, Spreads.
 */
export function toEntry(
  value: JsonObject,
  { line, offset, length }: LineSpan,
  { isSubagent, before }: EntryOrigin,
): ClaudeCodeEntry {
  const type = getString(value, 'type') ?? '';
  const time = toTime(value['timestamp']);
  if (!isNode(value)) return toAside(value, { line, offset, length, type, time });
  const facts = readFacts(value, type);
  return {
    id: getString(value, 'uuid'),
    parentId: share(readParent(value), before?.id),
    time,
    line,
    offset,
    length,
    type: facts.type ?? type,
    role: facts.role,
    customType: facts.customType,
    messageId: share(facts.messageId, before?.messageId),
    model: shareModel(facts.model, before?.model),
    calls: share(facts.calls, before?.calls),
    isSidechain: !isSubagent && isSidechainLine(value) ? true : undefined,
    isMeta: facts.isMeta,
    isBroken: facts.isBroken,
    preserved: facts.preserved,
  };
}

/** The client takes a parent that is not text for one that is not in the file, and an empty one for none. */
function readParent({ parentUuid }: JsonObject): string | null {
  if (!parentUuid) return null;
  return typeof parentUuid === 'string' ? parentUuid : `(${typeof parentUuid})`;
}

/** The place that the client gives an entry, if its line names another. */
export type Placing = Pick<
  ClaudeCodeEntry,
  'writtenParentId' | 'isBridged' | 'firstOffset' | 'isUnloaded'
> & { readonly parentId?: string | null };

/** An entry of the tree in another place; what is not given is as it was. */
export function placeEntry(entry: ClaudeCodeEntry, placing: Placing): ClaudeCodeEntry {
  const { parentId = entry.parentId, writtenParentId = entry.writtenParentId } = placing;
  return {
    id: entry.id,
    parentId,
    time: entry.time,
    line: entry.line,
    offset: entry.offset,
    length: entry.length,
    type: entry.type,
    role: entry.role,
    customType: entry.customType,
    messageId: entry.messageId,
    model: entry.model,
    calls: entry.calls,
    isSidechain: entry.isSidechain,
    isMeta: entry.isMeta,
    isBroken: entry.isBroken,
    preserved: entry.preserved,
    writtenParentId,
    isBridged: placing.isBridged ?? entry.isBridged,
    firstOffset: placing.firstOffset ?? entry.firstOffset,
    isUnloaded: placing.isUnloaded ?? entry.isUnloaded,
  };
}

/** One of two that are the same, so that memory holds one. */
function share<T>(own: T, known: T | undefined): T {
  return known !== undefined && own === known ? known : own;
}

function shareModel(own: ModelRef | undefined, known: ModelRef | undefined): ModelRef | undefined {
  return own !== undefined && own.modelId === known?.modelId ? known : own;
}

type Facts = Pick<
  ClaudeCodeEntry,
  'role' | 'customType' | 'messageId' | 'model' | 'calls' | 'isMeta' | 'isBroken' | 'preserved'
> & { readonly type?: string };

/** Reads the facts on a line beside its place. */
function readFacts(value: JsonObject, type: string): Facts {
  if (isUnreadable(value)) return { type: 'message', role: getRole(type), isBroken: true };
  if (isCompactSummary(value)) return { type: 'compaction' };
  if (isBoundaryLine(value)) {
    return { customType: BOUNDARY, preserved: toPreserved(value) };
  }
  if (type === 'user') {
    if (!isToolResult(value)) return readMeta(value);
    const calls = toCalls(value, 'tool_result', 'tool_use_id');
    return { type: 'message', role: 'toolResult', calls };
  }
  if (type === 'assistant') {
    const message = getMessage(value) ?? {};
    const messageId = getString(message, 'id');
    const model = { provider: undefined, modelId: getString(message, 'model') };
    const calls = toCalls(value, 'tool_use', 'id');
    return { type: 'message', role: type, messageId, model, calls };
  }
  const attachment = getObject(value, 'attachment') ?? {};
  const customType = getString(attachment, 'type') ?? getString(value, 'subtype');
  const isMeta = customType === 'queued_command' && !isTypedCommand(attachment);
  return { customType, calls: getString(attachment, 'toolUseID'), isMeta: isMeta || undefined };
}

/** Returns whether the client cannot read the message of a line of a user or an assistant. */
function isUnreadable(value: JsonObject): boolean {
  const { type } = value;
  if (type !== 'user' && type !== 'assistant') return false;
  const content = getMessage(value)?.['content'];
  if (typeof content === 'string') return type === 'assistant' && content.trim() === '';
  if (!isArray(content)) return true;
  return content.length > 0 && !content.some((block) => typeof toType(block) === 'string');
}

function toType(block: JsonValue): JsonValue | undefined {
  return isObject(block) ? block['type'] : undefined;
}

function getRole(type: string): 'user' | 'assistant' {
  return type === 'user' ? 'user' : 'assistant';
}

function toCalls(
  value: JsonObject,
  type: 'tool_use' | 'tool_result',
  key: 'id' | 'tool_use_id',
): ClaudeCodeEntry['calls'] {
  let first: string | undefined;
  let all: string[] | undefined;
  for (const block of getBlocks(value)) {
    const id = block['type'] === type ? getString(block, key) : undefined;
    if (id === undefined) continue;
    if (first === undefined) first = id;
    else (all ??= [first]).push(id);
  }
  return all ?? first;
}

/** The id for a `last-prompt` that says `null`. */
export const NO_ENTRY = '';

/** The custom type of text that the client wrote for the user: output of commands, reminders, caveats. */
export const HARNESS = 'harness';

function readMeta(value: JsonObject): Facts {
  const user = { type: 'message', role: 'user' } as const;
  if (value['isMeta'] === true) return { ...user, customType: HARNESS, isMeta: true };
  const content = getMessage(value)?.['content'];
  const first = isArray(content) ? content[0] : content;
  const text = isObject(first) ? first['text'] : first;
  return typeof text === 'string' && isHarnessText(text) ? { ...user, customType: HARNESS } : user;
}

type AsidePlace = LineSpan & Pick<Entry, 'type' | 'time'>;

/** Makes the entry of a line beside the tree. */
function toAside(value: JsonObject, place: AsidePlace): ClaudeCodeEntry {
  const isPrompt = place.type === 'last-prompt';
  const isTitle = place.type === 'custom-title';
  return {
    id: undefined,
    parentId: null,
    aside: true,
    time: place.time,
    line: place.line,
    offset: place.offset,
    length: place.length,
    type: place.type,
    targetId: isTitle ? undefined : getTarget(value, place.type),
    name: isTitle ? getString(value, 'customTitle') : undefined,
    isPinned: isPrompt && value['explicit'] === true ? true : undefined,
  };
}

/** The entry that a line beside the tree is about. */
function getTarget(value: JsonObject, type: string): string | undefined {
  if (type === 'last-prompt' && value['leafUuid'] === null) return NO_ENTRY;
  const isOfLeaf = type === 'last-prompt' || type === 'summary';
  return getString(value, isOfLeaf ? 'leafUuid' : 'messageId') || undefined;
}

function toPreserved(boundary: JsonObject): Preserved | undefined {
  const metadata = getObject(boundary, 'compactMetadata') ?? {};
  const messages = getObject(metadata, 'preservedMessages');
  const segment = getObject(metadata, 'preservedSegment');
  const ids = messages?.['uuids'];
  const isListed = isArray(ids);
  const named = isListed ? messages : segment;
  if (!named) return undefined;
  return {
    anchorId: getString(named, 'anchorUuid') ?? null,
    ids: isListed ? listStrings(ids) : undefined,
    headId: segment && getString(segment, 'headUuid'),
    tailId: segment && getString(segment, 'tailUuid'),
  };
}
