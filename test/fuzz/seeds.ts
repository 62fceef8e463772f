import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const SAMPLES = fileURLToPath(new URL('../../samples/', import.meta.url));

/** Sessions that real agents have written, of every version; and one that is an array. */
export function findSeeds(): readonly Buffer[] {
  const paths = [FIXTURES, SAMPLES].flatMap((directory) =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .toSorted()
      .map((name) => join(directory, name)),
  );
  const seeds = paths.map((path) => readFileSync(path));
  const [first = Buffer.alloc(0)] = seeds;
  const lines = first.toString('utf8').trimEnd().split('\n');
  return [...seeds, Buffer.from(`[${lines.join(',')}]`)];
}
