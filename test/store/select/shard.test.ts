import { describe, expect, it } from 'vitest';
import { isInShard, parseShard } from '../../../src/store/select/shard.ts';

const slurm = (id: number, min: number, max: number, count: number, step = 1) => ({
  SLURM_ARRAY_TASK_ID: String(id),
  SLURM_ARRAY_TASK_MIN: String(min),
  SLURM_ARRAY_TASK_MAX: String(max),
  SLURM_ARRAY_TASK_COUNT: String(count),
  SLURM_ARRAY_TASK_STEP: String(step),
});

describe('--shard auto takes its part from', () => {
  // As Slurm 22.05 sets them: --array=1-4, 0-3, 1-8:2, 5, 10-30:10.
  it.each([
    [slurm(1, 1, 4, 4), '1/4'],
    [slurm(4, 1, 4, 4), '4/4'],
    [slurm(0, 0, 3, 4), '1/4'],
    [slurm(7, 1, 7, 4, 2), '4/4'],
    [slurm(5, 5, 5, 1), '1/1'],
    [slurm(20, 10, 30, 3, 10), '2/3'],
  ])('a Slurm job array %#', (env, part) => {
    expect(parse(env)).toBe(`${part} a Slurm job array`);
  });

  it.each([
    [{ JOB_COMPLETION_INDEX: '0', COPPICE_SHARD_COUNT: '8' }, '1/8 a Kubernetes Indexed Job'],
    [{ CI_NODE_INDEX: '3', CI_NODE_TOTAL: '5' }, '3/5 a parallel GitLab job'],
    [
      { BUILDKITE_PARALLEL_JOB: '7', BUILDKITE_PARALLEL_JOB_COUNT: '8' },
      '8/8 a parallel Buildkite step',
    ],
    [{ CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '4' }, '1/4 a parallel CircleCI job'],
    // Every GitLab job has a total.
    [{ ...slurm(2, 1, 4, 4), CI_NODE_TOTAL: '1' }, '2/4 a Slurm job array'],
  ])('%j', (env, found) => {
    expect(parse(env)).toBe(found);
  });

  function parse(env: Record<string, string>): string {
    const { index, count, engine } = parseShard('auto', env) ?? {};
    return `${index}/${count} ${engine}`;
  }
});

describe('--shard refuses', () => {
  // As Slurm 22.05 sets them: --array=1,3,7 and 1-3,9.
  it.each([
    [slurm(3, 1, 7, 3), 'has gaps: 3 tasks from 1 to 7 in steps of 1; submit one without'],
    [slurm(2, 1, 9, 4), 'has gaps'],
    [slurm(2, 1, 7, 4, 2), 'has gaps'],
    [slurm(1, 1, 1, 1, 0), 'has gaps'],
    [{ SLURM_ARRAY_TASK_ID: '1' }, 'SLURM_ARRAY_TASK_MIN of a Slurm job array: is not set'],
    [{ CI_NODE_TOTAL: '1', COPPICE_SHARD_COUNT: '3' }, 'found no job engine'],
    [{ JOB_COMPLETION_INDEX: '1' }, 'set COPPICE_SHARD_COUNT'],
    [{ JOB_COMPLETION_INDEX: '4', COPPICE_SHARD_COUNT: '4' }, 'assigns part 5 of 4'],
    [{ CI_NODE_INDEX: '0', CI_NODE_TOTAL: '4' }, 'assigns part 0 of 4'],
    [{ CI_NODE_INDEX: '1', CI_NODE_TOTAL: '0' }, 'assigns part 1 of 0'],
    [{ CIRCLE_NODE_INDEX: '-1', CIRCLE_NODE_TOTAL: '4' }, "expected a number, not '-1'"],
    [
      { ...slurm(1, 1, 4, 4), CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4' },
      'found a Slurm job array (SLURM_ARRAY_TASK_ID) and a parallel GitLab job (CI_NODE_INDEX)',
    ],
  ])('auto with %j', (env, message) => {
    expect(() => parseShard('auto', env)).toThrow(message);
  });

  it.each(['0/4', '5/4', '1/0', '1', 'Auto', '1/4 '])('%j', (text) => {
    expect(() => parseShard(text, {})).toThrow('or auto');
  });
});

describe('a path', () => {
  it('is in one shard, and there with what migrate makes of it', () => {
    const shards = [1, 2, 3].map((index) => ({ index, count: 3 }));
    for (let at = 0; at < 30; at += 1) {
      const path = `/store/${at}.json`;
      const holding = shards.filter((shard) => isInShard(path, shard));
      expect(holding).toHaveLength(1);
      expect(isInShard(`${path}l`, holding[0])).toBe(true);
    }
  });
});
