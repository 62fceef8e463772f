import { expect, it } from 'vitest';
import { findNaming } from '../../../../../src/session/agents/pi/places/session-place.ts';

it.each([
  ['as pi does', '--home-u-src-api--', '/home/u/src/api', '/home/u/work', '--home-u-work--'],
  ['below the home', '-src-api', '/home/u/src/api', '/home/u/work/api', '-work-api'],
  ['away from the home', '-src-api', '/home/u/src/api', '/work/api', '--work-api--'],
  ['from the home itself', '-', '/home/u', '/home/u/work', '-work'],
  ['to the home itself', '-api', '/home/u/api', '/home/u', '-'],
  ['below the directory for temporary files', '-tmp-a', '/var/tmp/a', '/var/tmp/b/c', '-tmp-b-c'],
  ['away from it', '-tmp-a', '/tmp/a', '/home/u/a', '--home-u-a--'],
  ['by another project', '-other', '/home/u/src/api', '/home/u/work', '--home-u-work--'],
])('names the directory of a project %s', (_, directory, from, to, expected) => {
  expect(findNaming(`/s/${directory}/1.jsonl`, from)(to)).toBe(expected);
});
