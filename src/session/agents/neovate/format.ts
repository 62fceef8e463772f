import { basename } from 'node:path';
import {
  getObject,
  getString,
  isObject,
  isTextIfAny,
  type JsonObject,
  listObjects,
  listTexts,
} from '../../jsonl/edit/json.ts';

/** Neovate's files have had one shape, with no version of its own. */
export const CURRENT_VERSION = 1;

/** `uiContent` of a message that stands for all before it; the same from 0.11.0 to 0.17.1. */
export const COMPACTION_MARKER = 'Chat history compacted successfully.';

export function isConfig(value: JsonObject): boolean {
  return value['type'] === 'config' && isObject(value['config']);
}

export function isMessage(value: JsonObject): boolean {
  return value['type'] === 'message';
}

/**
 * Returns whether an object could be a line of a session of Neovate. Titles and snapshots are not enough:
 * another agent writes lines that look the same.
 */
export function isNeovateLine(value: JsonObject): boolean {
  if (isConfig(value)) return true;
  const hasPlace = 'uuid' in value || 'parentUuid' in value;
  return isMessage(value) && typeof value['role'] === 'string' && hasPlace;
}

/** Returns whether an object is a line of a request log: what was sent to a model, with keys in clear. */
export function isRequestLogLine(value: JsonObject): boolean {
  const { type } = value;
  return (type === 'metadata' || type === 'chunk') && typeof value['requestId'] === 'string';
}

const TYPES: ReadonlySet<string> = new Set([
  'config',
  'message',
  'custom-title',
  'snapshot',
  'file-history-snapshot',
]);

/** Returns whether an object is of a type that a release is known to write. */
export function isKnownLine(value: JsonObject): boolean {
  return TYPES.has(getString(value, 'type') ?? '');
}

/** A message that stands for what came before it; by all marks together, as 0.17.1 writes them. */
export function isCompaction(value: JsonObject): boolean {
  return (
    isMessage(value) &&
    value['role'] === 'user' &&
    value['parentUuid'] === null &&
    value['uiContent'] === COMPACTION_MARKER
  );
}

/** The parts of a message; none where its content is a string. */
export function getParts(value: JsonObject): readonly JsonObject[] {
  const { content } = value;
  return listObjects(content);
}

/** Returns whether it is a result of a tool as until 0.15: those were user messages, one at a time. */
export function isOldToolResult(value: JsonObject): boolean {
  return value['role'] === 'user' && getParts(value)[0]?.['type'] === 'tool_result';
}

/** Returns the title that a person gave; undefined for every other line. */
export function getCustomTitle(value: JsonObject): string | undefined {
  return value['type'] === 'custom-title' ? getString(value, 'customTitle') : undefined;
}

/** Returns the title on a config line, which a model gave. */
export function getConfigTitle(value: JsonObject): string | undefined {
  return isConfig(value) ? getString(getObject(value, 'config') ?? {}, 'summary') : undefined;
}

/** Returns whether a title is one, in a line that has such. */
export function hasReadableTitle(value: JsonObject): boolean {
  if (value['type'] === 'custom-title') return isTextIfAny(value, 'customTitle');
  return !isConfig(value) || isTextIfAny(getObject(value, 'config') ?? {}, 'summary');
}

/** Lists the directories that the user added, which only a config line names. */
export function listAddedDirectories(value: JsonObject): readonly string[] {
  return listTexts(isConfig(value) ? getObject(value, 'config')?.['additionalDirectories'] : null);
}

/** The members of a config line that only say how a session works. */
const SETTINGS: ReadonlySet<string> = new Set([
  'approvalMode',
  'approvalTools',
  'model',
  'additionalDirectories',
  'planSlug',
]);

/**
 * Returns whether a config line holds something of a user: a title, what was typed (before 0.12.4) or pasted, if
 * only into a message that was never sent, or anything in a member that no release is known to write.
 */
export function holdsWork(value: JsonObject): boolean {
  if (!isConfig(value)) return false;
  return Object.entries(getObject(value, 'config') ?? {}).some(([key, one]) => {
    if (SETTINGS.has(key)) return false;
    if (typeof one !== 'object') return one !== '';
    return Object.keys(one ?? {}).length > 0;
  });
}

/** The name of the file is the identity of a session. */
export function toSessionId(path: string): string {
  return basename(path).replace(/\.jsonl$/, '');
}
