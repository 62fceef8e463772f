import { getDialect } from '../agents/index.ts';
import { findState, readState } from '../jsonl/files/sync-calls.ts';
import { packFile, type Packing, unpackFile } from '../jsonl/write/pack-file.ts';
import { withCompression, withoutCompression } from '../jsonl/zstd/is-compressed.ts';
import type { Agent } from '../model/agent.ts';
import type { SessionSummary } from '../model/summary.ts';
import type { ReductionOutcome } from '../reduce/reduce-session.ts';

export type PackingAction = 'compress' | 'decompress';

export interface CompressOptions {
  readonly action: PackingAction;
  /** Returns the reason to skip a file that was last changed at this time, in milliseconds. */
  readonly findUse: (mtimeMs: number) => string | undefined;
  readonly apply: boolean;
  readonly signal: AbortSignal;
}

/** Returns the reason why sessions of an agent are not compressed; undefined if they may be. */
export function findPackingObstacle(agent: Agent): string | undefined {
  return getDialect(agent).packing ? undefined : `${agent} does not read compressed sessions`;
}

/**
 * Compresses the files of a session, or decompresses them, each on its own; the text is the same.
 * @throws FileError if one cannot be read or written; those before it are done.
 */
export async function compressSession(
  { path, agent, files = [path] }: Pick<SessionSummary, 'path' | 'agent' | 'files'>,
  { action, findUse, apply, signal }: CompressOptions,
): Promise<ReductionOutcome> {
  const packs = action === 'compress';
  const { packing } = getDialect(agent);
  const reasons = new Set<string>();
  const done: Packing[] = [];
  let bytes = 0;
  for (const file of files) {
    // A run that could not remove it has left the source beside the file that it made.
    const source = packs ? withoutCompression(file) : withCompression(file);
    const isDone = source !== file && findState(source) === undefined;
    const { size, mtimeMs } = readState(isDone ? file : source);
    bytes += size;
    if (isDone) continue;
    const reason = packing?.findObstacle(source) ?? findUse(mtimeMs);
    if (reason !== undefined) reasons.add(reason);
    else done.push(await (packs ? packFile : unpackFile)(source, { apply, signal }));
  }
  const before = sum(done.map(({ bytesBefore }) => bytesBefore));
  const after = sum(done.map(({ bytesAfter }) => bytesAfter));
  const sizes = { bytesBefore: bytes, bytesAfter: bytes - before + after, savings: [] };
  if (done.length > 0) {
    const said = [describe(done.length, before, after), ...reasons];
    return { path, action, reasons: said, ...sizes };
  }
  if (reasons.size > 0) return { path, action: 'skip', reasons: [...reasons], ...sizes };
  const state = packs ? 'already compressed' : 'is not compressed';
  return { path, action: 'unchanged', reasons: [state], ...sizes };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

function describe(count: number, before: number, after: number): string {
  const percent = before === 0 ? 100 : Math.round((100 * after) / before);
  const size = `${percent} % of its size`;
  return count === 1 ? size : `${count} files, ${size}`;
}
