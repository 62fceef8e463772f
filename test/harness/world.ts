import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { MEMORY } from './memory.ts';
import { EFFORT, SEED } from './runs.ts';

let root: string | undefined;

/**
 * Makes a world for all tests of one run, before the first process of it starts: a directory with a
 * home, temporary files and a working directory, one time zone and one locale. So no test sees what
 * the person who runs it has, and two runs side by side never meet.
 */
export function setup(): void {
  // Each project of a run asks.
  if (process.env['COPPICE_TEST_WORLD'] !== undefined) return;
  root = realpathSync(mkdtempSync(join(MEMORY, 'coppice-tests-')));
  const inside = (name: string): string => join(root ?? '', name);
  for (const name of ['home', 'tmp', 'cwd']) mkdirSync(inside(name));
  // For tests that go on as an ordinary user.
  chmodSync(root, 0o755);
  Object.assign(process.env, {
    COPPICE_TEST_WORLD: root,
    HOME: inside('home'),
    TMPDIR: inside('tmp'),
    TZ: 'UTC',
    LANG: 'C.UTF-8',
  });
  process.stdout.write(`random cases: seed ${SEED}, effort ${EFFORT}\n`);
}

export function teardown(): void {
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
}
