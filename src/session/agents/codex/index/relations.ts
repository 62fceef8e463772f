import {
  getNumber,
  getObject,
  getString,
  isObject,
  type JsonObject,
} from '../../../jsonl/edit/json.ts';
import type { Base } from '../../../model/entry.ts';
import type { Relations, SessionSummary, Source } from '../../../model/summary.ts';
import { getFileId, getVersion, parseName, UNKNOWN_VERSION } from '../format.ts';

/**
 * Reads the place at which a file continues another one; the byte offset alone decides. A place of a form
 * that is not known has no id: the file may continue from any other.
 */
export function readBase({ history_base: stored }: JsonObject): Base | undefined {
  if (stored === undefined || stored === null) return undefined;
  const place = isObject(stored) ? stored : {};
  const id = getString(place, 'thread_id') ?? '';
  return { id, end: getNumber(place, 'end_byte_offset') ?? Infinity };
}

/**
 * Reads the same for a decision about the other file: one of a history mode that is not known may name it in a way that is
 * not known either.
 */
export function findBase(header: JsonObject): Base | undefined {
  const isKnown = getVersion(header) !== UNKNOWN_VERSION;
  return readBase(header) ?? (isKnown ? undefined : { id: '', end: Infinity });
}

/** The thread that a fork was made from; a file that a revert made continues from its own thread. */
export function findForkParent(header: JsonObject, path: string): string | undefined {
  const isRevert = parseName(path)?.rolloutId !== undefined;
  const base = isRevert ? undefined : readBase(header)?.id;
  const parent = getString(header, 'forked_from_id') ?? base;
  return parent === getString(header, 'id') ? undefined : parent;
}

/**
 * Returns the header of a file with the thread that a fork was made from. Up to 0.80 a fork names none in its own header;
 * the copied lines behind it begin with the header of that thread.
 */
export function nameSource(header: JsonObject, next: JsonObject): JsonObject {
  const source = getString(next, 'id') ?? '';
  const isNamed = getString(header, 'forked_from_id') !== undefined || readBase(header);
  const isOwn = source === '' || source === getString(header, 'id');
  if (isNamed || isOwn || isSpawned(header) || toSource(header) === 'subagent') return header;
  return { ...header, forked_from_id: source };
}

/** Reads the relations of a file to others, from its header and its name. */
export function readRelations(header: JsonObject, path: string): Omit<Relations, 'messagesAt'> {
  const name = parseName(path);
  const isOwn = name !== undefined && name.threadId === getString(header, 'id');
  const spawn = readSpawn(header);
  const role = getString(header, 'agent_role') ?? (spawn && getString(spawn, 'agent_role'));
  const nick = getString(header, 'agent_nickname') ?? (spawn && getString(spawn, 'agent_nickname'));
  return {
    fileId: isOwn ? getFileId(name) : path,
    ...withValue('base', findBase(header)),
    ...withValue('forkOf', findForkParent(header, path)),
    ...withValue('startedBy', findStarter(header)),
    ...withValue('subagentType', role),
    ...withValue('subagentName', nick),
  };
}

/** Returns whether another thread began this one as its sub-agent. */
export function isSpawned(header: JsonObject): boolean {
  return getString(header, 'parent_thread_id') !== undefined || readSpawn(header) !== undefined;
}

/** The thread that began this one as its sub-agent. */
export function findStarter(header: JsonObject): string | undefined {
  const spawn = readSpawn(header);
  return getString(header, 'parent_thread_id') ?? (spawn && getString(spawn, 'parent_thread_id'));
}

function withValue<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  if (value === undefined) return {};
  const found: Partial<Record<K, V>> = {};
  found[key] = value;
  return found;
}

function readSpawn({ source }: JsonObject): JsonObject | undefined {
  const subagent = isObject(source) ? source['subagent'] : undefined;
  return isObject(subagent) ? getObject(subagent, 'thread_spawn') : undefined;
}

/** Reads by what a thread was started, and on which branch it worked. */
export function readOrigin(
  header: JsonObject,
): Pick<SessionSummary, 'source' | 'entrypoint' | 'gitBranch'> {
  const { source } = header;
  const branch = getString(getObject(header, 'git') ?? {}, 'branch');
  const entrypoint = typeof source === 'string' ? source : getString(header, 'originator');
  return {
    source: toSource(header),
    ...(entrypoint !== undefined && { entrypoint }),
    ...(branch !== undefined && { gitBranch: branch }),
  };
}

function toSource(header: JsonObject): Source {
  const { source } = header;
  if (isObject(source) && 'subagent' in source) return 'subagent';
  if (header['thread_source'] === 'subagent') return 'subagent';
  return source === 'exec' || header['thread_source'] === 'automation' ? 'exec' : 'interactive';
}
