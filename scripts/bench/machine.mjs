// @ts-check
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { METER } from './measure.mjs';

/**
 * What the figures depend on besides the store.
 * @param {string} reference
 * @returns {Record<string, string>}
 */
export function machineFacts(reference) {
  return {
    cpu: `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`,
    memory: `${(totalmem() / 1e9).toFixed(0)} GB`,
    system: `${type()} ${release()}`,
    node: process.version,
    jq: firstLine('jq', '--version'),
    zstd: firstLine('zstd', '--version'),
    pi: piVersion(reference),
    'node of pi': firstLine(join(reference, 'node/bin/node'), '--version'),
    meter: METER,
  };
}

/**
 * @param {string} program
 * @param {string} argument
 */
function firstLine(program, argument) {
  const { stdout, status } = spawnSync(program, [argument], { encoding: 'utf8' });
  return status === 0 ? (stdout.split('\n', 1)[0] ?? '') : 'not installed';
}

/** @param {string} reference */
function piVersion(reference) {
  const path = join(reference, '@earendil-works/pi-coding-agent/package.json');
  try {
    return String(JSON.parse(readFileSync(path, 'utf8')).version);
  } catch {
    return 'not installed';
  }
}
