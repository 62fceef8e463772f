// @ts-check
import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { measure } from './measure.mjs';

/** @import { Command, Context } from './commands.mjs' */
/** @import { Measurement } from './measure.mjs' */

/** A command and its runs in order; with a `problem` when it was not, or not always, measured. */
/** @typedef {{ command: Command, runs: Measurement[], problem?: string, failed: boolean }} Row */

/**
 * Measures every command once a round, so that a slow minute of the machine hits all of them
 * alike; the first round warms up and is not kept. Every other round goes backwards, so that
 * nobody always runs first, or after the same neighbour.
 * @param {readonly Command[]} commands
 * @param {Context} context
 * @param {string} scratch
 * @param {number} rounds
 * @returns {Promise<Row[]>}
 */
export async function measureRounds(commands, context, scratch, rounds) {
  const env = sealedEnvironment(context, scratch);
  const rows = commands.map((command) => newRow(command, context));
  for (let round = 0; round <= rounds; round += 1) {
    for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
      if (row.problem !== undefined) continue;
      process.stderr.write(`${round === 0 ? 'warm-up' : `run ${round}`}: ${row.command.name}\n`);
      try {
        const measurement = await runOnce(row.command, context, { env, scratch });
        if (round > 0) row.runs.push(measurement);
      } catch (error) {
        row.problem = `failed: ${error instanceof Error ? error.message : String(error)}`;
        row.failed = true;
      }
    }
  }
  return rows;
}

/**
 * @param {Command} command
 * @param {Context} context
 * @param {{ env: Record<string, string>, scratch: string }} place
 */
async function runOnce(command, context, place) {
  try {
    command.prepare?.(context);
    const argv = command.command(context);
    const measurement = await measure(
      argv,
      { ...place, cwd: context.store },
      command.exitCodes ?? [0],
    );
    command.check?.(context, readFileSync(join(place.scratch, 'stdout'), 'utf8'));
    return measurement;
  } finally {
    removeCopy(context);
  }
}

/**
 * Waits for the disk too: what is still to be written would be charged to the next command.
 * @param {Context} context
 */
function removeCopy({ copy }) {
  if (!existsSync(copy)) return;
  rmSync(copy, { recursive: true });
  spawnSync('sync');
}

/**
 * Nothing of the user's own settings, sessions or caches; pi sees the store as its own.
 * @param {Context} context
 * @param {string} home
 * @returns {Record<string, string>}
 */
function sealedEnvironment({ store }, home) {
  const agent = join(home, 'pi-agent');
  mkdirSync(agent, { recursive: true });
  symlinkSync(store, join(agent, 'sessions'));
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    PI_CODING_AGENT_DIR: agent,
    LC_ALL: 'C',
    TZ: 'UTC',
    NO_COLOR: '1',
  };
}

/**
 * @param {Command} command
 * @param {Context} context
 * @returns {Row}
 */
function newRow(command, context) {
  const missing = command.needs(context).find((need) => !isThere(need));
  const row = { command, runs: [], failed: false };
  if (missing === undefined) return row;
  const shown = missing.startsWith(context.root) ? relative(context.root, missing) : missing;
  return { ...row, problem: `not installed: ${shown}` };
}

/** @param {string} need a path, or the name of a program */
function isThere(need) {
  const folders = need.includes('/') ? [''] : (process.env['PATH'] ?? '').split(delimiter);
  const mode = need.includes('/') ? constants.R_OK : constants.X_OK;
  return folders.some((folder) => canAccess(join(folder, need), mode));
}

/**
 * @param {string} path
 * @param {number} mode
 */
function canAccess(path, mode) {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
