import type { Entry, LineSpan } from '../../../model/entry.ts';
import {
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  toTime,
} from '../../../jsonl/edit/json.ts';
import { isHarnessText } from './user-text.ts';
import {
  getBlocks,
  getMessage,
  isBoundary,
  isCompactSummary,
  isNode,
  isSidechainLine,
  isToolResult,
} from '../format.ts';

/** Nodes from before a boundary that the client keeps behind it. */
export interface Preserved {
  /** The node that they are attached to; null for none. */
  readonly anchorId: string | null;
  /** In their order; undefined where only both ends are named. */
  readonly ids: readonly string[] | undefined;
  readonly headId: string | undefined;
  readonly tailId: string | undefined;
}

/**
 * What is kept in memory of a line. `parentId` is the entry that the client attaches it to, which
 * need not be the one that the line names.
 */
export interface ClaudeCodeEntry extends Entry {
  /** As the line names it, where the client attaches it to another. */
  readonly writtenParentId?: string | null | undefined;
  /** That stands in for a parent that is not there. */
  readonly isBridged?: true | undefined;
  /** Of a sub-agent, in the file of its session (1.0). */
  readonly isSidechain?: true | undefined;
  /** Of a boundary that keeps nodes. */
  readonly preserved?: Preserved | undefined;
  /** Of a `last-prompt`: the person has chosen the leaf, or has emptied the conversation. */
  readonly isPinned?: true | undefined;
  /** The client does not read its message, and steps over it. */
  readonly isBroken?: true | undefined;
  /** Of a user: the client has added it, and it holds no result. */
  readonly isMeta?: true | undefined;
  /** The calls that it makes, or has the results of; one of them mostly. */
  readonly calls?: string | readonly string[] | undefined;
  /** The offset of the first line of its id, where that has several. */
  readonly firstOffset?: number | undefined;
}

/** Whether an entry can be the end of the conversation. */
export function isLeafCandidate({ type, aside, isSidechain, isBroken }: ClaudeCodeEntry): boolean {
  return aside !== true && isSidechain !== true && isBroken !== true && LEAF_TYPES.has(type);
}

export function getCalls({ calls = [] }: ClaudeCodeEntry): readonly string[] {
  return typeof calls === 'string' ? [calls] : calls;
}

/** `message` and `compaction` are lines of users and assistants. */
const LEAF_TYPES: ReadonlySet<string> = new Set(['message', 'compaction', 'attachment', 'system']);

/** The index entry of a parsed line. A line without a uuid stands beside the tree. */
export function toEntry(value: JsonObject, span: LineSpan): ClaudeCodeEntry {
  const type = getString(value, 'type') ?? '';
  const time = toTime(value['timestamp']);
  if (!isNode(value)) return toAside(value, { ...span, type, time });
  const id = getString(value, 'uuid');
  const parentId = getString(value, 'parentUuid') || null;
  const place = { id, parentId, time, ...span };
  const side = isSidechainLine(value) ? { isSidechain: true as const } : {};
  if (isUnreadable(value)) return { ...place, ...toUnreadable(value), ...side };
  if (isCompactSummary(value)) return { ...place, type: 'compaction', ...side };
  if (isBoundary(value)) {
    const customType = 'compact_boundary';
    return { ...place, type, customType, preserved: toPreserved(value), ...side };
  }
  if (type === 'user') {
    const role = isToolResult(value) ? 'toolResult' : 'user';
    const meta = role === 'user' ? getMeta(value) : toCalls(value, 'tool_result', 'tool_use_id');
    return { ...place, type: 'message', role, ...meta, ...side };
  }
  if (type === 'assistant') {
    const message = getMessage(value) ?? {};
    const model = { provider: undefined, modelId: getString(message, 'model') };
    const messageId = getString(message, 'id');
    const calls = toCalls(value, 'tool_use', 'id');
    return { ...place, type: 'message', role: type, messageId, model, ...calls, ...side };
  }
  const attachment = getObject(value, 'attachment') ?? {};
  const customType = getString(attachment, 'type') ?? getString(value, 'subtype');
  const call = getString(attachment, 'toolUseID');
  return { ...place, type, customType, ...(call !== undefined && { calls: call }), ...side };
}

/** Whether the client cannot read the message of a line of a user or an assistant. */
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

function toUnreadable({ type }: JsonObject) {
  return { type: 'message', role: getRole(type), isBroken: true } as const;
}

function getRole(type: JsonValue | undefined): 'user' | 'assistant' {
  return type === 'user' ? 'user' : 'assistant';
}

function toCalls(
  value: JsonObject,
  type: 'tool_use' | 'tool_result',
  key: 'id' | 'tool_use_id',
): Pick<ClaudeCodeEntry, 'calls'> {
  const ids = getBlocks(value).flatMap((block) =>
    block['type'] === type ? (getString(block, key) ?? []) : [],
  );
  const [first] = ids;
  if (first === undefined) return {};
  return { calls: ids.length === 1 ? first : ids };
}

/** What a `last-prompt` names that says `null`. */
export const NO_ENTRY = '';

/** What the client wrote in a user's place: commands' output, reminders, caveats. */
export const HARNESS = 'harness';

function getMeta(value: JsonObject): Pick<ClaudeCodeEntry, 'customType' | 'isMeta'> {
  if (value['isMeta'] === true) return { customType: HARNESS, isMeta: true };
  const content = getMessage(value)?.['content'];
  const first = isArray(content) ? content[0] : content;
  const text = isObject(first) ? first['text'] : first;
  return typeof text === 'string' && isHarnessText(text) ? { customType: HARNESS } : {};
}

type AsidePlace = LineSpan & Pick<Entry, 'type' | 'time'>;

function toAside(value: JsonObject, place: AsidePlace): ClaudeCodeEntry {
  const aside = { id: undefined, parentId: null, aside: true, ...place } as const;
  switch (place.type) {
    case 'last-prompt': {
      const pin = value['explicit'] === true ? { isPinned: true as const } : {};
      const targetId = value['leafUuid'] === null ? NO_ENTRY : getString(value, 'leafUuid');
      return { ...aside, targetId, ...pin };
    }
    case 'custom-title':
      return { ...aside, name: getString(value, 'customTitle') };
    case 'summary':
      return { ...aside, targetId: getString(value, 'leafUuid') };
    default:
      return { ...aside, targetId: getString(value, 'messageId') };
  }
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
    ids: isListed ? ids.filter((id) => typeof id === 'string') : undefined,
    headId: segment && getString(segment, 'headUuid'),
    tailId: segment && getString(segment, 'tailUuid'),
  };
}
