import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RECORDED = fileURLToPath(new URL('../fixtures/recorded', import.meta.url));

/** Where more session files are, to put to the same questions: `CONFORMANCE_SESSIONS=<dir>`. */
const EXTRA = process.env['CONFORMANCE_SESSIONS'];

function listSessionFiles(dir: string): string[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(dir, name));
}

/** Files written by the real releases, and whatever else this run was given. */
export function findSessionFiles(): readonly string[] {
  return [...listSessionFiles(RECORDED), ...(EXTRA ? listSessionFiles(EXTRA) : [])];
}

/** Copies files side by side, so that the agent sees them as one flat session directory. */
export function copyFlat(paths: readonly string[], to: string): void {
  mkdirSync(to, { recursive: true });
  for (const path of paths) copyFileSync(path, join(to, basename(path)));
}
