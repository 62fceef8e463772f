import { basename, dirname } from 'node:path';
import { FileError } from '../../errors.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { FlattenDialect } from '../dialect/forking.ts';
import { type Counts, describeStaleRows, type StaleRows } from '../dialect/reduction.ts';
import { NOTHING_FLUSHED } from '../jsonl/files/flush.ts';
import { parseLine } from '../jsonl/read/parse-line.ts';
import { composeFile, type Piece, type SourceState } from '../jsonl/write/compose-file.ts';
import type { LinePart, LineTransform } from '../jsonl/write/line-transform.ts';
import { replaceFile } from '../jsonl/write/replace-file.ts';
import { measureTransformed } from '../jsonl/write/transform-file.ts';
import { DECOMPRESS, isCompressed } from '../jsonl/zstd/is-compressed.ts';
import type { Agent } from '../model/agent.ts';
import type { Session } from '../model/session.ts';
import { readChain } from '../read/read-bases.ts';
import { foldSession } from '../read/recognize.ts';
import { type RunSources, toLookedAt } from '../read/summaries/looked-at.ts';
import { holdsNoObject } from '../read/unread-lines.ts';

export interface FlattenOptions {
  readonly apply: boolean;
  /** Files that continue from this one, and will no longer by the time it is rewritten. */
  readonly flattened: ReadonlySet<string>;
  readonly removeRows: (agent: Agent, path: string, stale: StaleRows) => Promise<void>;
  readonly sources: RunSources;
  readonly signal: AbortSignal;
}

/** Sizes in bytes. */
export interface Flattened {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Sentences for the user, about rows and access. */
  readonly notices: readonly string[];
}

/**
 * Makes a session file that continues from others one that holds all of its path itself: its header without the
 * reference, the lines that it has of the others, and its own, byte for byte. The agent shows and sends the
 * same. Rows that count the bytes of the file are removed before.
 * @throws FileError where that cannot be done; the file is then as it was.
 */
export async function flattenSession(path: string, options: FlattenOptions): Promise<Flattened> {
  const { chain, dialect } = await readParts(path);
  const [session] = chain;
  const { stamp, agent } = session;
  const { flattening } = dialect;
  if (!flattening) throw refuse(path, `sessions of ${agent} cannot be made self-contained`);
  const stale = await findStale(session, dialect, options);
  const transform = createTransform(chain, flattening);
  const rewrite = { planned: stamp, signal: options.signal };
  const notices = stale ? [describeStaleRows(stale)] : [];
  if (!options.apply) {
    const bytesAfter = await measureTransformed(path, transform, rewrite);
    return { bytesBefore: stamp.size, bytesAfter, notices };
  }
  const replaced = await replaceFile(path, transform, {
    ...rewrite,
    // The rows go first, so that a run that is killed leaves rows that are missing, and none that are wrong.
    beforeCommit: async () => {
      options.sources.memory.forget(dirname(path));
      const now = await findStale(session, dialect, options);
      if (now) await options.removeRows(agent, path, now);
      return NOTHING_FLUSHED;
    },
  });
  options.sources.memory.forget(path);
  return { ...replaced, notices: [...notices, ...replaced.notices] };
}

interface Parts {
  readonly chain: readonly [Session, ...Session[]];
  readonly dialect: Dialect;
}

async function readParts(path: string): Promise<Parts> {
  if (isCompressed(path)) throw refuse(path, `is compressed; ${DECOMPRESS}`);
  const folded = await foldSession(path, (own, framing) => own.reading.indexSession(framing), {});
  if (folded.kind !== 'session') throw refuse(path, 'is not a session');
  const { result, dialect } = folded;
  const damaged = new Map<string, number>();
  const chain = await readChain(result, dialect, {
    seesKinds: true,
    onLine: (_, line, content, file) => {
      if (holdsNoObject(content) && !damaged.has(file)) damaged.set(file, line);
    },
  });
  if ('problem' in chain) throw new FileError(path, 'session-unusable', chain.problem.message);
  const packed = chain.sessions.find((one) => isCompressed(one.path));
  if (packed) {
    const name = basename(packed.path);
    throw refuse(path, `continues from ${name}, which is compressed; ${DECOMPRESS}`);
  }
  requireWhole(chain.sessions, damaged);
  return { chain: chain.sessions, dialect };
}

/**
 * Requires that every line can be copied which a session has of others. `damaged`: the first line of each file that
 * cannot be read: a copy of what is around it would lose it.
 */
function requireWhole(
  chain: readonly [Session, ...Session[]],
  damaged: ReadonlyMap<string, number>,
): void {
  for (const [at, { path, header, entries }] of chain.slice(1).entries()) {
    const line = damaged.get(path);
    const end = chain[at]?.base?.end ?? 0;
    const before = [...(header ? [header] : []), ...entries].filter(
      (one) => one.line < (line ?? 0),
    );
    const isBehind = before.some(({ offset, length }) => offset + length + '\n'.length >= end);
    if (line === undefined || isBehind) continue;
    throw refuse(chain[0].path, `line ${line} of ${basename(path)} could not be read`);
  }
}

/** The rows that must be gone. @throws FileError where something counts on the bytes of the file. */
async function findStale(
  session: Session,
  { reduction }: Dialect,
  options: FlattenOptions,
): Promise<StaleRows | undefined> {
  const counts: Counts =
    (await reduction?.findCounts?.(session, toLookedAt(options.sources))) ?? {};
  if (counts.obstacle !== undefined) throw refuse(session.path, counts.obstacle);
  const cut = counts.cuts?.find((one) => options.apply || !options.flattened.has(one.path));
  if (cut) throw refuse(session.path, `${basename(cut.path)} continues from it`);
  return counts.stale;
}

function createTransform(
  chain: readonly [Session, ...Session[]],
  flattening: FlattenDialect,
): LineTransform {
  const [session] = chain;
  const parts = listInherited(chain, flattening);
  let isSeen = false;
  return (line) => {
    const content = isSeen ? undefined : parseLine(line);
    if (content?.kind !== 'object') return undefined;
    isSeen = true;
    const header = flattening.withoutBase(line.bytes);
    if (header && line.offset === session.header?.offset) return join(header, parts);
    throw refuse(session.path, 'does not begin with its header');
  };
}

function* join(header: Buffer, parts: readonly Inherited[]): Generator<LinePart> {
  yield header;
  yield '\n';
  for (const { source, pieces } of parts) yield* composeFile(source, pieces);
}

/** The lines of one file that belong to the path of another. */
interface Inherited {
  readonly source: SourceState;
  readonly pieces: readonly Piece[];
}

/** Oldest file first; of each what is wholly before the byte from which the next one continues. */
function listInherited(
  chain: readonly [Session, ...Session[]],
  dialect: FlattenDialect,
): readonly Inherited[] {
  const bases = chain.slice(1).map((base, at) => {
    const end = chain[at]?.base?.end ?? 0;
    return { base, entries: base.entries.filter((one) => one.offset + one.length <= end) };
  });
  const ordered = bases.toReversed();
  const kept = new Set(dialect.selectInherited(ordered.flatMap(({ entries }) => entries)));
  return ordered.map(({ base: { path, stamp }, entries }) => ({
    source: { path, stamp },
    pieces: entries.filter((one) => kept.has(one)).map((span) => ({ span })),
  }));
}

function refuse(path: string, message: string): FileError {
  return new FileError(path, 'not-supported', message);
}
