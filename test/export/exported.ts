import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RECORDED = fileURLToPath(new URL('../fixtures/recorded', import.meta.url));

/** Files written by the real releases. */
export const recorded: readonly string[] = readdirSync(RECORDED)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => join(RECORDED, name));

export type Json = Readonly<Record<string, unknown>>;

export function parseLines(text: string): readonly Json[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
}
