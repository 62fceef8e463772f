// @ts-check
import { join, resolve } from 'node:path';
import { Random, mix32 } from './random.mjs';

/**
 * @typedef {object} StoreOptions
 * @property {string} out the sessions root
 * @property {number} sessions
 * @property {number} bytes of all sessions together
 * @property {number} largest bytes of the largest session
 * @property {number} seed
 * @property {1 | 2 | 3} version
 * @property {Agent} [agent] whose sessions; pi's if absent
 */

/** @typedef {'pi' | 'claude-code' | 'codex'} Agent */

/**
 * @typedef {object} SessionPlan
 * @property {Agent} agent
 * @property {number} index
 * @property {number} seed
 * @property {1 | 2 | 3} version
 * @property {string} id
 * @property {string} cwd
 * @property {string} path
 * @property {number} start Unix milliseconds
 * @property {number} bytes
 * @property {{ parent: SessionPlan, copiedBytes: number }} [fork]
 */

const EPOCH = Date.UTC(2025, 0, 6, 8);
const DAY = 86_400_000;
const SPAN = 240 * DAY;
const SMALLEST = 2500;
const PROJECTS = 60;
const SIZE_SIGMA = 1.8;
const FORK_SHARE = 0.07;
const LARGEST_FORK = 4_000_000;
const AREAS = ['api', 'web', 'cli', 'docs', 'infra', 'mobile', 'search', 'billing', 'auth', 'data'];
const KINDS = ['server', 'client', 'tools', 'site', 'worker', 'schema'];

/**
 * Which sessions a store holds: sizes, places, times, who forks whom (of pi's). Oldest first.
 * @param {StoreOptions} options
 * @returns {SessionPlan[]}
 */
export function planStore(options) {
  const random = new Random(options.seed);
  /** @type {SessionPlan[]} */
  const plans = [];
  for (const [index, bytes] of planSizes(random, options).entries()) {
    const plan = planSession(random, options, index, bytes);
    const fork = plan.agent === 'pi' ? planFork(random, plan, plans) : undefined;
    plans.push(fork === undefined ? plan : { ...plan, fork });
  }
  return plans;
}

/**
 * Log-normal sizes whose sum is `bytes`, one of them `largest`, the others at most half of that.
 * @param {Random} random
 * @param {StoreOptions} options
 */
function planSizes(random, { sessions, bytes, largest }) {
  const most = Math.max(SMALLEST, largest / 2);
  const rest = bytes - largest;
  const count = sessions - 1;
  if (rest < count * SMALLEST || rest > count * most) {
    throw new RangeError(
      `${sessions} sessions, the largest of ${largest}, cannot make ${bytes} bytes`,
    );
  }
  const clamp = (/** @type {number} */ size) => Math.min(most, Math.max(SMALLEST, size));
  let sizes = Array.from({ length: count }, () => random.logNormal(1, SIZE_SIGMA));
  for (let round = 0; round < 8; round += 1) {
    const factor = rest / sizes.reduce((sum, size) => sum + size, 0);
    sizes = sizes.map((size) => clamp(size * factor));
  }
  return sizes.map(Math.round).toSpliced(random.below(sessions), 0, largest);
}

/**
 * @param {Random} random
 * @param {StoreOptions} options
 * @param {number} index
 * @param {number} bytes
 * @returns {SessionPlan}
 */
function planSession(random, { out, sessions, seed, version, agent = 'pi' }, index, bytes) {
  // Squaring favours the first projects, as people do.
  const project = Math.floor(random.fraction() ** 2 * Math.min(PROJECTS, sessions));
  const name = `${AREAS[project % AREAS.length]}-${KINDS[Math.floor(project / AREAS.length)]}`;
  const start = EPOCH + Math.floor(((index + random.fraction()) / sessions) * SPAN);
  const id = sessionId(random, start, version);
  const path = join(resolve(out), toPlace(agent, `home-dev-${name}`, id, start));
  return {
    agent,
    index,
    seed: mix32(seed ^ mix32(index + 1)),
    version,
    id,
    cwd: `/home/dev/${name}`,
    path,
    start,
    bytes,
  };
}

/**
 * Where an agent would put a session below its store.
 * @param {Agent} agent
 * @param {string} folder
 * @param {string} id
 * @param {number} start
 */
function toPlace(agent, folder, id, start) {
  const time = new Date(start).toISOString().replaceAll(/[:.]/g, '-');
  if (agent === 'claude-code') return join(`-${folder}`, `${id}.jsonl`);
  if (agent === 'pi') return join(`--${folder}--`, `${time}_${id}.jsonl`);
  const [year = '', month = '', day = ''] = time.slice(0, 10).split('-');
  return join(year, month, day, `rollout-${time.slice(0, 19)}-${id}.jsonl`);
}

/**
 * A fork copies the beginning of an older, unforked session of its project.
 * @param {Random} random
 * @param {SessionPlan} plan
 * @param {SessionPlan[]} older
 */
function planFork(random, plan, older) {
  if (plan.bytes > LARGEST_FORK || !random.chance(FORK_SHARE)) return undefined;
  const parent = older.findLast(
    (other) =>
      other.cwd === plan.cwd &&
      other.fork === undefined &&
      other.bytes <= LARGEST_FORK &&
      other.start < plan.start - 3 * DAY,
  );
  if (parent === undefined) return undefined;
  const share = 0.2 + 0.6 * random.fraction();
  return { parent, copiedBytes: Math.round(share * Math.min(parent.bytes, plan.bytes)) };
}

/**
 * UUIDv7 as pi makes them; UUIDv4 in the days of version 1.
 * @param {Random} random
 * @param {number} start
 * @param {1 | 2 | 3} version
 */
function sessionId(random, start, version) {
  const time = version === 1 ? random.hex(8) + random.hex(4) : start.toString(16).padStart(12, '0');
  const tail = `${random.hex(3)}-${random.pick(['8', '9', 'a', 'b'])}${random.hex(3)}`;
  const kind = version === 1 ? 4 : 7;
  return `${time.slice(0, 8)}-${time.slice(8)}-${kind}${tail}-${random.hex(8)}${random.hex(4)}`;
}
