import { resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import {
  expandHome,
  isAmbiguous,
  isInside,
  type PathMove,
  toDirectory,
} from '../../session/model/paths.ts';
import type { Agent } from '../../session/model/agent.ts';
import { findSuffixFault } from '../../session/migrate/backup-suffix.ts';
import type { Context } from '../command.ts';
import {
  type ChangeRequest,
  type OutputRequest,
  type SelectionRequest,
  toChangeRequest,
  toOutputRequest,
  toSelectionRequest,
} from '../shared/requests.ts';
import type { MigrateArgs } from './options.ts';

/** Brings sessions of old versions to the current one. */
export interface UpgradeTask {
  readonly kind: 'upgrade';
  /** The directory for copies, absolute; undefined to replace the sessions. */
  readonly out: string | undefined;
  /** The suffix under which the original of a file is kept; undefined to keep none. */
  readonly backup: string | undefined;
  /** Absolute; for sessions that do not say where they worked. */
  readonly assumedCwd: string | undefined;
}

/** Moves sessions with their projects. */
export interface RelocationTask extends Pick<UpgradeTask, 'backup'> {
  readonly kind: 'relocate';
  readonly moves: readonly PathMove[];
}

/** Makes new sessions of another agent. */
export interface ConversionTask {
  readonly kind: 'convert';
  readonly to: Agent;
  /** The store of the new sessions, absolute; undefined for that of the agent. */
  readonly store: string | undefined;
}

type MigrateTask = UpgradeTask | RelocationTask | ConversionTask;

export interface MigrateRequest<T extends MigrateTask = MigrateTask> {
  readonly select: SelectionRequest;
  readonly output: OutputRequest;
  readonly change: ChangeRequest;
  /** Whether the exit code is to say that something is to be done. */
  readonly check: boolean;
  readonly task: T;
}

/** Turns the options into a request. @throws UsageError */
export function toMigrateRequest(args: MigrateArgs, context: Context): MigrateRequest {
  return {
    select: toSelectionRequest(args, context),
    output: toOutputRequest(args),
    change: toChangeRequest(args, context),
    check: args.check,
    task: toTask(args, context),
  };
}

function toTask(args: MigrateArgs, context: Context): MigrateTask {
  const { backup, to, cwd = [], 'assume-cwd': assumed } = args;
  const fault = backup === undefined ? undefined : findSuffixFault(backup);
  if (fault !== undefined) throw new UsageError(`--backup ${backup}: ${fault}`);
  const out = args.out === undefined ? undefined : resolve(context.cwd, args.out);
  if (to !== undefined) return { kind: 'convert', to, store: out };
  if (cwd.length > 0) return { kind: 'relocate', moves: toMoves(cwd, context), backup };
  const assumedCwd = assumed === undefined ? undefined : toDirectory(assumed, context.cwd);
  return { kind: 'upgrade', out, backup, assumedCwd };
}

/**
 * @throws UsageError for a directory with two new places, and where a second run, as after one that was
 * killed, may move a session twice.
 */
function toMoves(texts: readonly string[], context: Context): readonly PathMove[] {
  const moves = texts.map((text) => parseMove(text, context));
  for (const [index, { from, to }] of moves.entries()) {
    const first = moves.findIndex((one) => isSameDirectory(one.from, from));
    if (!isSameDirectory(moves[first]?.to ?? to, to)) {
      const why = `--cwd ${texts[first]} moves the same directory`;
      throw new UsageError(`--cwd ${texts[index]}: ${why}; leave out one of the two`);
    }
    const next = moves.findIndex(
      (one, at) => at !== index && (isInside(to, one.from) || isInside(one.from, to)),
    );
    if (next === -1) continue;
    const why = `a second run may move these sessions again, by --cwd ${texts[next]}`;
    const how = 'move those that are there first, in a command of its own, to another directory';
    throw new UsageError(`--cwd ${texts[index]}: ${why}; ${how}`);
  }
  return moves;
}

function isSameDirectory(a: string, b: string): boolean {
  return isInside(a, b) && isInside(b, a);
}

/** @throws UsageError for what is not a pair of different directories, each of which has one name. */
function parseMove(text: string, { cwd, home }: Context): PathMove {
  const at = text.indexOf('=');
  const [old, now] = [text.slice(0, at), text.slice(at + 1)];
  if (at === -1 || old === '' || now === '') {
    throw new UsageError(`--cwd ${text}: expected <old>=<new>, two directories`);
  }
  const toPath = (path: string): string => toDirectory(expandHome(path, home), cwd);
  const move = { from: toPath(old), to: toPath(now) };
  if (isAmbiguous(move.from) || isAmbiguous(move.to)) {
    const remedy = isAmbiguous(move.from) ? '' : '; rename the directory first';
    throw new UsageError(
      `--cwd ${text}: the name is not UTF-8, and other directories may have it${remedy}`,
    );
  }
  if (isInside(move.to, move.from)) {
    throw new UsageError(
      `--cwd ${text}: expected <new> outside of <old>; a second run would move the sessions again`,
    );
  }
  return move;
}
