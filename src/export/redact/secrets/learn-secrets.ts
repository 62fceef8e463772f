import type { Entry, ModelRef } from '../../../session/model/entry.ts';
import { FileError } from '../../../errors.ts';
import { parseLine } from '../../../session/jsonl/read/parse-line.ts';
import type { LineVisitor } from '../../../session/jsonl/read/line-splitter.ts';
import { readLines } from '../../../session/jsonl/read/read-lines.ts';
import { withPayloads } from '../../../session/read/turns/payloads.ts';
import type { JsonObject } from '../../../session/jsonl/edit/json.ts';
import type { Session } from '../../../session/model/session.ts';
import type { SessionSummary } from '../../../session/model/summary.ts';
import type { SessionSource } from '../../../session/read/read-session.ts';
import { type OnFile, readSpawnedSource } from '../../../session/read/turns/spawned-turns.ts';
import { readSubagentLines } from '../../../session/read/turns/subagent-turns.ts';
import type { Redactor } from '../redactor.ts';

/**
 * Lets a redactor read a whole session and its sub-agents, before anything of it is exported, in whatever
 * format: the text that reveals a secret may come after the secret itself, and in another file. Once, unless the
 * file of the session has changed since. @throws FileError if it is no longer the one that was indexed.
 */
export async function learnSecrets(
  source: SessionSource,
  redactor: Redactor,
  reading: Pick<Learning, 'signal' | 'onFile'>,
): Promise<void> {
  await learnSession(source, redactor, { ...reading, isSubagent: false });
}

interface Learning {
  readonly signal: AbortSignal;
  /** Its lines are not those of the session that is exported. */
  readonly isSubagent: boolean;
  readonly onFile?: OnFile | undefined;
}

async function learnSession(
  { session, dialect, summary }: SessionSource,
  redactor: Redactor,
  { signal, isSubagent, onFile }: Learning,
): Promise<void> {
  const { path, header, entries } = session;
  const { spawned } = dialect.places;
  // Sub-agents may have begun each other, and go on working.
  if (redactor.hasLearned(path, session.stamp, { inAnyState: isSubagent })) return;
  if (isSubagent) redactor.setEnd(path, findEnd(entries));
  await redactor.learn(listFacts(summary));
  redactor.expectOpening(summary.firstMessage);
  const begun = new Set<string>();
  await withPayloads(path, async (readPayload) => {
    for (const at of header ? [header, ...entries] : entries) {
      signal.throwIfAborted();
      const payload = await readPayload(at);
      for (const id of spawned?.listBegun(payload) ?? []) begun.add(id);
      await redactor.learn(payload, isSubagent ? undefined : at.line);
    }
  });
  for (const file of [path, ...(session.earlierFiles?.keys() ?? [])]) {
    for (const value of await readOtherLines(session, file, signal)) await redactor.learn(value);
  }
  for (const { path: file, type, description } of summary.subagents ?? []) {
    await redactor.learn({ type, description });
    redactor.expectOpening(description);
    const lines = await readSubagentLines(file, signal);
    redactor.setEnd(file, lines.length);
    for (const line of lines) await redactor.learn(line);
  }
  if (!spawned) return;
  for (const id of begun) {
    const other = await findSpawned(id, path, { spawned, dialect, signal, onFile });
    if (other) await learnSession(other, redactor, { signal, onFile, isSubagent: true });
  }
}

/** The last line in the file itself: what it continues from is in another one, with lines of its own. */
function findEnd(entries: Session['entries']): number {
  const own = entries.filter(({ file }) => file === undefined);
  return own.reduce((last, { line }) => Math.max(last, line), 0);
}

/** The end of a line, and of one from Windows. */
const MAX_LINE_END = 2;

/**
 * Reads the lines of one of its files that are no entries: a title of oh-my-pi before the header, headers that come
 * later, and those of earlier files.
 */
async function readOtherLines(
  { path, header, entries, stamp }: Session,
  file: string,
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const isOwn = file === path;
  const own = entries.filter((entry) => (entry.file ?? path) === file);
  const known = new Set<number>();
  let [last, end] = [0, 0];
  for (const { line, offset, length } of header && isOwn ? [header, ...own] : own) {
    known.add(line);
    last = Math.max(last, line);
    end = Math.max(end, offset + length);
  }
  // Most files hold nothing else, and are not read again.
  if (isOwn && known.size === last && Math.abs(stamp.size - end) <= MAX_LINE_END) return [];
  const values: JsonObject[] = [];
  const visit: LineVisitor = (line) => {
    if (known.has(line.number)) return;
    const content = parseLine(line);
    if (content.kind === 'object') values.push(content.value);
  };
  await readLines(file, visit, { signal });
  return values;
}

/** The facts of a listing: some are in no line of the session, such as a name that an index has. */
function listFacts({
  name,
  firstMessage,
  cwd,
  path,
  parentSessionPath,
  branchedFrom,
  gitBranch,
  entrypoint,
}: SessionSummary): JsonObject {
  const places = { cwd, path, parentSessionPath, branchedFrom };
  return { name, firstMessage, ...places, gitBranch, entrypoint };
}

/** Undefined where its file is gone, or cannot be read: then nothing shows it, either. */
async function findSpawned(
  ...args: Parameters<typeof readSpawnedSource>
): Promise<SessionSource | undefined> {
  try {
    return await readSpawnedSource(...args);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** The entries of an index whose ids, types or models hold secrets, with others in their place. */
export function hideIds({ entries }: Session, redactor: Redactor): ReadonlyMap<Entry, Entry> {
  const hidden = new Map<Entry, Entry>();
  const toSafe = <T extends string | undefined | null>(id: T): T | string =>
    typeof id === 'string' ? redactor.toSafeId(id) : id;
  for (const entry of entries) {
    const safe = {
      role: toSafe(entry.role),
      customType: toSafe(entry.customType),
      id: toSafe(entry.id),
      parentId: toSafe(entry.parentId),
      type: redactor.toSafeId(entry.type),
      targetId: toSafe(entry.targetId),
      firstKeptEntryId: toSafe(entry.firstKeptEntryId),
      fromId: toSafe(entry.fromId),
      ...(entry.model && { model: hideModel(entry.model, toSafe) }),
    };
    const isSame =
      safe.role === entry.role &&
      safe.customType === entry.customType &&
      safe.id === entry.id &&
      safe.parentId === entry.parentId &&
      safe.type === entry.type &&
      safe.targetId === entry.targetId &&
      safe.firstKeptEntryId === entry.firstKeptEntryId &&
      safe.fromId === entry.fromId &&
      safe.model?.provider === entry.model?.provider &&
      safe.model?.modelId === entry.model?.modelId;
    if (!isSame) hidden.set(entry, { ...entry, ...safe });
  }
  return hidden;
}

/** Turns get their model from the entry before them that sets one. */
function hideModel(
  { provider, modelId }: ModelRef,
  toSafe: (id: string | undefined) => string | undefined,
): ModelRef {
  return { provider: toSafe(provider), modelId: toSafe(modelId) };
}
