import type { Variables } from '../../session/dialect/surroundings/world.ts';
import { createHash } from 'node:crypto';
import { UsageError } from '../../errors.ts';

/** The `index`-th, from 1, of `count` disjoint parts. */
export interface Shard {
  readonly index: number;
  readonly count: number;
  /** The job engine that has set it, if the user did not: `a Slurm job array`. */
  readonly engine?: string | undefined;
}

/** The variables in which a job engine states which of several runs this is. */
interface Engine {
  readonly name: string;
  /** Set in such a job, and in no other. */
  readonly marker: string;
  readonly read: (read: ReadNumber, env: Variables) => Pick<Shard, 'index' | 'count'>;
}

type ReadNumber = (name: string) => number;

/** The number that a person gives a Kubernetes Job: its pods get their index only. */
const COUNT = 'COPPICE_SHARD_COUNT';

const ENGINES: readonly Engine[] = [
  { name: 'a Slurm job array', marker: 'SLURM_ARRAY_TASK_ID', read: readSlurm },
  {
    // https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode
    name: 'a Kubernetes Indexed Job',
    marker: 'JOB_COMPLETION_INDEX',
    read(read, env) {
      if (isSet(env, COUNT)) return fromZero(read('JOB_COMPLETION_INDEX'), read(COUNT));
      throw new UsageError(
        `--shard auto: a Kubernetes Indexed Job (JOB_COMPLETION_INDEX) does not state how many pods ` +
          `it has; set ${COUNT} to its number of completions`,
      );
    },
  },
  {
    // Every job has CI_NODE_TOTAL; only those of `parallel` have an index, which begins at 1.
    name: 'a parallel GitLab job',
    marker: 'CI_NODE_INDEX',
    read: (read) => ({ index: read('CI_NODE_INDEX'), count: read('CI_NODE_TOTAL') }),
  },
  {
    name: 'a parallel Buildkite step',
    marker: 'BUILDKITE_PARALLEL_JOB',
    read: (read) => fromZero(read('BUILDKITE_PARALLEL_JOB'), read('BUILDKITE_PARALLEL_JOB_COUNT')),
  },
  {
    name: 'a parallel CircleCI job',
    marker: 'CIRCLE_NODE_INDEX',
    read: (read) => fromZero(read('CIRCLE_NODE_INDEX'), read('CIRCLE_NODE_TOTAL')),
  },
];

/**
 * The part that `<i>/<n>` states; for `auto`, the one that the environment of an engine states.
 * @throws UsageError for what is not a part, and where not exactly one engine states one.
 */
export function parseShard(
  text: string | undefined,
  env: Variables,
  label = '--shard',
): Shard | undefined {
  if (text === undefined) return undefined;
  if (text === 'auto') return findShard(env);
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || count === undefined || index < 1 || index > count) {
    throw new UsageError(`${label} ${text}: expected <i>/<n> with 1 ≤ i ≤ n, such as 1/4, or auto`);
  }
  return { index, count };
}

function findShard(env: Variables): Shard {
  const found = ENGINES.filter(({ marker }) => isSet(env, marker));
  const [engine] = found;
  if (!engine) {
    const markers = ENGINES.map(({ marker }) => marker).join(', ');
    throw new UsageError(
      `--shard auto: found no job engine (looked for ${markers}); pass --shard <i>/<n>`,
    );
  }
  if (found.length > 1) {
    const names = found.map(({ name, marker }) => `${name} (${marker})`).join(' and ');
    throw new UsageError(`--shard auto: found ${names}; pass --shard <i>/<n>, or unset the other`);
  }
  const { index, count } = engine.read((name) => readNumber(env, name, engine), env);
  if (count < 1 || index < 1 || index > count) {
    throw new UsageError(
      `--shard auto: ${engine.name} assigns part ${index} of ${count}, which does not exist; pass --shard <i>/<n>`,
    );
  }
  return { index, count, engine: engine.name };
}

/**
 * The tasks of an array are numbered from MIN to MAX in steps. Of one with gaps, such as `1,3,7`, no
 * task can reckon which it is.
 */
function readSlurm(read: ReadNumber): Pick<Shard, 'index' | 'count'> {
  const [id, min] = [read('SLURM_ARRAY_TASK_ID'), read('SLURM_ARRAY_TASK_MIN')];
  const [max, step] = [read('SLURM_ARRAY_TASK_MAX'), read('SLURM_ARRAY_TASK_STEP')];
  const count = read('SLURM_ARRAY_TASK_COUNT');
  const isRegular = step > 0 && max - min === (count - 1) * step && (id - min) % step === 0;
  if (isRegular) return { index: (id - min) / step + 1, count };
  throw new UsageError(
    `--shard auto: the Slurm job array has gaps: ${count} tasks from ${min} to ${max} in steps of ` +
      `${step}; submit one without, such as --array=1-${count}, or pass --shard <i>/<n>`,
  );
}

function fromZero(index: number, count: number): Pick<Shard, 'index' | 'count'> {
  return { index: index + 1, count };
}

function isSet(env: Variables, name: string): boolean {
  return env[name] !== undefined && env[name] !== '';
}

function readNumber(env: Variables, name: string, engine: Engine): number {
  const text = env[name] ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const found = text === '' ? 'is not set' : `expected a number, not '${text.slice(0, 40)}'`;
  throw new UsageError(`--shard auto: ${name} of ${engine.name}: ${found}; pass --shard <i>/<n>`);
}

/** Describes the shard that a job found by itself; undefined if the user has stated it. */
export function describeShard(shard: Shard | undefined): string | undefined {
  if (shard?.engine === undefined) return undefined;
  return `--shard auto: part ${shard.index} of ${shard.count}, from ${shard.engine}`;
}

/**
 * Stable: a path is always in the same part, whatever other files there are. `x.json` and the `x.jsonl`
 * that `migrate` makes of it are in one.
 */
export function isInShard(path: string, shard: Shard | undefined): boolean {
  if (!shard) return true;
  const stem = path.endsWith('.json') ? `${path}l` : path;
  const hash = createHash('sha256').update(stem).digest().readUInt32BE(0);
  return hash % shard.count === shard.index - 1;
}

/** Makes a test of whether what has a path is in a shard. */
export function createShardTest(
  shard: Shard | undefined,
): (one: { readonly path: string }) => boolean {
  return ({ path }) => isInShard(path, shard);
}
