// First of all: it has to be there before anything takes a function out of node:fs.
import { realFs as fs } from './fault-layer.mjs';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MANAGERS } from './managers.ts';
import { makeSandbox } from './sandbox-root.ts';
import { CHANGES, COPIES, PREVIEWS, REMOVALS, SLOW } from './scenarios.ts';
import { begin, runWatched } from './walk.ts';

const root = makeSandbox();
const usual = process.umask(0o077);
afterAll(() => process.umask(usual));

/** Modes of all that there is, by path. */
function readModes(): Map<string, number> {
  const found = fs.readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = found.map((one) => join(one.parentPath, one.name));
  return new Map(paths.flatMap((path) => readMode(path)));
}

function readMode(path: string): readonly (readonly [string, number])[] {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  return stats ? [[relative(root, path), stats.mode & 0o777]] : [];
}

const scenarios = [...CHANGES, ...REMOVALS, ...COPIES, ...MANAGERS, ...PREVIEWS, ...SLOW];

/** With no umask that would help, and looked at before every call: also what is there only for a while. */
describe.each(scenarios)('$name', (scenario) => {
  it('makes nothing that anyone else could read, and opens up nothing that was closed', async () => {
    process.umask(0o077);
    const ready = await begin(scenario, root);
    const exposed = new Set<string>();
    const check = (): void => {
      for (const [path, mode] of readModes()) {
        if ((mode & 0o077) !== 0) exposed.add(`${path} ${mode.toString(8)}`);
      }
    };
    const { run } = await runWatched(ready, root, () => {
      // Only now: what there was before is private.
      process.umask(0);
      check();
      return undefined;
    });
    check();
    expect(run.exitCode).toBe(0);
    expect([...exposed]).toEqual([]);
  });
});

it('would see a file that others may read', () => {
  process.umask(0);
  fs.mkdirSync(root, { recursive: true });
  fs.writeFileSync(join(root, 'open'), '');
  expect(readModes().get('open')).toBe(0o666);
});
