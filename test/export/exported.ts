import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTest } from '../memory-terminal.ts';

const RECORDED = fileURLToPath(new URL('../fixtures/recorded', import.meta.url));

/** Files written by the real releases. */
export const recorded: readonly string[] = readdirSync(RECORDED)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => join(RECORDED, name));

/** What goes to standard output; undefined when the session holds nothing to export so. */
export async function exportText(
  path: string,
  as: string,
  ...args: string[]
): Promise<string | undefined> {
  const { out, err } = await runTest(['export', path, '--as', as, ...args]);
  return err.includes('nothing to export') ? undefined : out;
}

export type Json = Readonly<Record<string, unknown>>;

export function parseLines(text: string): readonly Json[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
}
