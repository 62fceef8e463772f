import { dirname, join, relative } from 'node:path';
import { realFs as fs } from './fault-layer.mjs';

/** What a file is: its bytes, one character each, and its permissions. */
export interface FileState {
  readonly text: string;
  readonly mode: number;
}

/** Files by their path below the sandbox. */
export type Files = ReadonlyMap<string, FileState>;

const LONG_AGO = new Date('2026-04-01T00:00:00Z');
export const TEMPORARY = /\.coppice-tmp(\/|$)/;

export function toFiles(texts: Readonly<Record<string, string>>): Files {
  return new Map(Object.entries(texts).map(([path, text]) => [path, { text, mode: 0o600 }]));
}

/** Empties a directory and puts files there that nobody has touched for long. */
export function fill(root: string, files: Files): void {
  fs.rmSync(root, { recursive: true, force: true });
  fs.mkdirSync(root, { recursive: true });
  for (const [name, { text, mode }] of files) {
    const path = join(root, name);
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, text, { encoding: 'latin1', mode });
    fs.utimesSync(path, LONG_AGO, LONG_AGO);
  }
  // Writing into a directory makes it young again.
  for (const one of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (one.isDirectory()) fs.utimesSync(join(one.parentPath, one.name), LONG_AGO, LONG_AGO);
  }
}

export function readFiles(root: string): Files {
  const found = fs.readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    found
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name))
      .toSorted()
      .map((path) => {
        const mode = fs.statSync(path).mode & 0o777;
        return [relative(root, path), { text: fs.readFileSync(path, 'latin1'), mode }];
      }),
  );
}

export function isSame(one: FileState | undefined, other: FileState | undefined): boolean {
  return one?.text === other?.text && one?.mode === other?.mode;
}

/** How one tree differs from another, by path. */
export function compare(found: Files, expected: Files): readonly string[] {
  const paths = [...new Set([...found.keys(), ...expected.keys()])];
  return paths.filter((path) => !isSame(found.get(path), expected.get(path)));
}
