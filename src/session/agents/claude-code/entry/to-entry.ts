import type { Entry, LineSpan } from '../../../model/entry.ts';
import {
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
  toTime,
} from '../../../jsonl/edit/json.ts';
import { isHarnessText } from './user-text.ts';
import {
  getMessage,
  isBoundary,
  isCompactSummary,
  isNode,
  isSidechainLine,
  isToolResult,
} from '../format.ts';

/** Nodes from before a boundary that the client keeps behind it. */
export interface Preserved {
  /** The node that they are attached to. */
  readonly anchorId: string;
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
  /** Of a sub-agent, in the file of its session (1.0). */
  readonly isSidechain?: true | undefined;
  /** Of a boundary that keeps nodes. */
  readonly preserved?: Preserved | undefined;
  /** Of a `last-prompt`: the person has chosen the leaf, or has emptied the conversation. */
  readonly isPinned?: true | undefined;
}

/** Whether an entry can be the end of the conversation. */
export function isLeafCandidate({ type, aside, isSidechain }: ClaudeCodeEntry): boolean {
  return aside !== true && isSidechain !== true && LEAF_TYPES.has(type);
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
  if (isCompactSummary(value)) return { ...place, type: 'compaction', ...side };
  if (isBoundary(value)) {
    const customType = 'compact_boundary';
    return { ...place, type, customType, preserved: toPreserved(value), ...side };
  }
  if (type === 'user') {
    const role = isToolResult(value) ? 'toolResult' : 'user';
    const meta = role === 'user' ? getMeta(value) : {};
    return { ...place, type: 'message', role, ...meta, ...side };
  }
  if (type === 'assistant') {
    const message = getMessage(value) ?? {};
    const model = { provider: undefined, modelId: getString(message, 'model') };
    const messageId = getString(message, 'id');
    return { ...place, type: 'message', role: type, messageId, model, ...side };
  }
  const customType = getString(getObject(value, 'attachment') ?? {}, 'type');
  return { ...place, type, customType: customType ?? getString(value, 'subtype'), ...side };
}

/** What a `last-prompt` names that says `null`. */
export const NO_ENTRY = '';

/** What the client wrote in a user's place: commands' output, reminders, caveats. */
export const HARNESS = 'harness';

function getMeta(value: JsonObject): Pick<Entry, 'customType'> {
  if (value['isMeta'] === true) return { customType: HARNESS };
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
  const anchorId = getString(messages ?? segment ?? {}, 'anchorUuid');
  if (anchorId === undefined) return undefined;
  const ids = messages && (messages['allUuids'] ?? messages['uuids']);
  return {
    anchorId,
    ids: isArray(ids) ? ids.filter((id) => typeof id === 'string') : undefined,
    headId: segment && getString(segment, 'headUuid'),
    tailId: segment && getString(segment, 'tailUuid'),
  };
}
