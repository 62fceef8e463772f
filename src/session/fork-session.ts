import { basename, dirname } from 'node:path';
import { FileError } from '../errors.ts';
import type { Entry } from './entry.ts';
import type { ForkDialect, ForkPlan, ForkRequest, ForkWorld } from './fork.ts';
import { isObject } from './json.ts';
import { composeFile, type SourceState } from './jsonl/compose-file.ts';
import { createFile } from './jsonl/create-file.ts';
import { listFiles } from './jsonl/list-files.ts';
import { openSpans } from './jsonl/read-spans.ts';
import { removeOwnFile } from './jsonl/remove-file.ts';
import { readSession } from './read-session.ts';
import type { Session } from './session.ts';

/** Until here, the agent rewrote old versions in place, and did not only append to them. */
const APPEND_ONLY_SINCE = 3;

/** A session that was made from another, or would be. */
export interface Fork {
  readonly source: string;
  readonly path: string;
  readonly id: string;
  /** How many the new session has. */
  readonly entries: number;
  readonly leafId: string | null;
  /** Of the user message that the fork was made before. */
  readonly text?: string;
  /** Size of the new file in bytes. */
  readonly bytes: number;
}

export interface ForkOptions {
  readonly world: ForkWorld;
  /** Do everything but write. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Makes new sessions from one; the source is only read, its bodies a chunk at a time. Each file is
 * new, whole and private, or not there at all; of several, all are made or none.
 * @throws FileError for a source or a point that cannot be forked, and a target that exists.
 */
export async function forkSession(
  path: string,
  request: ForkRequest,
  { world, dryRun = false, signal }: ForkOptions,
): Promise<readonly Fork[]> {
  const { session, dialect } = await readSession(path, { signal });
  const { forking } = dialect;
  if (!forking) {
    throw new FileError(path, 'not-supported', `sessions of ${dialect.agent} cannot be forked`);
  }
  const plans = forking.plan(session, request, world);
  for (const plan of plans) await assertNew(plan, request);
  const texts = await Promise.all(plans.map(({ message }) => readText(session, message, forking)));
  const forks: Fork[] = [];
  try {
    for (const [index, plan] of plans.entries()) {
      const bytes = await (dryRun ? countBytes(session, plan) : writeFork(session, plan, signal));
      forks.push(toFork(session, plan, bytes, texts[index]));
    }
  } catch (error) {
    if (!dryRun) for (const fork of forks) await removeOwnFile(fork.path);
    throw error;
  }
  return forks;
}

/** A session id leads to one session: it must not be in the directory under another time. */
async function assertNew(plan: ForkPlan, { id }: ForkRequest): Promise<void> {
  const [taken] = id === undefined ? [] : await listFiles(dirname(plan.path), `_${id}.jsonl`);
  if (taken === undefined) return;
  const message = `cannot create: ${basename(taken)} has the id ${id} already`;
  throw new FileError(plan.path, 'EEXIST', message);
}

async function writeFork(
  session: Session,
  plan: ForkPlan,
  signal: AbortSignal | undefined,
): Promise<number> {
  return createFile(plan.path, composeFile(toSource(session), plan.pieces), { signal });
}

function countBytes(session: Session, { pieces }: ForkPlan): number {
  let bytes = 0;
  for (const chunk of composeFile(toSource(session), pieces)) bytes += chunk.length;
  return bytes;
}

function toSource({ path, stamp, formatVersion }: Session): SourceState {
  return { path, stamp, mayGrow: formatVersion >= APPEND_ONLY_SINCE };
}

async function readText(
  { path }: Session,
  message: Entry | undefined,
  dialect: ForkDialect,
): Promise<string | undefined> {
  if (!message) return undefined;
  const spans = await openSpans(path);
  try {
    const value: unknown = JSON.parse((await spans.read(message)).toString('utf8'));
    return isObject(value) ? dialect.getUserText(value) : '';
  } finally {
    await spans.close();
  }
}

function toFork(session: Session, plan: ForkPlan, bytes: number, text: string | undefined): Fork {
  const { path, id, entryCount: entries, leafId } = plan;
  const made = { source: session.path, path, id, entries, leafId, bytes };
  return text === undefined ? made : { ...made, text };
}
