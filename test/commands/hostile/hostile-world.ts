import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runTest, type TestWorld } from '../../memory-terminal.ts';
import { makeTempDir } from '../../temp-dir.ts';

const LONG_AGO = new Date('2026-04-01T00:00:00Z');

export interface HostileWorld {
  readonly root: string;
  readonly run: (...argv: readonly string[]) => ReturnType<typeof runTest>;
  /** Writes a file that nobody has touched for long. */
  readonly write: (name: string, text: string | Buffer) => void;
  readonly link: (target: string, name: string) => void;
}

/** A directory with a store, and beside it what nobody may touch. */
export async function makeHostileWorld(world: TestWorld = {}): Promise<HostileWorld> {
  const root = await makeTempDir();
  const write = (name: string, text: string | Buffer): void => {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o600 });
    utimesSync(path, LONG_AGO, LONG_AGO);
  };
  mkdirSync(join(root, 'store'));
  write('precious/file', 'precious');
  return {
    root,
    write,
    link: (target, name) => {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      symlinkSync(join(root, target), join(root, name));
    },
    run: (...argv) => runTest(argv, { cwd: root, home: join(root, 'home'), ...world }),
  };
}

/** Every file below a directory but those below the given ones; links are not followed. */
export function listOutside(root: string, inside: readonly string[]): readonly string[] {
  const found = readdirSync(root, { recursive: true, withFileTypes: true });
  return found
    .filter((one) => !one.isDirectory())
    .map((one) => relative(root, join(one.parentPath, one.name)))
    .filter((name) => !inside.some((directory) => name.startsWith(`${directory}/`)))
    .toSorted();
}
