import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTempDir } from '../../../temp-dir.ts';

export const FIXTURES = fileURLToPath(new URL('../../../fixtures/codex', import.meta.url));

/** What the real 0.169.0 did with one file; see the README beside the files. */
export interface Recorded {
  readonly name: string;
  /** Below the home directory of Codex. */
  readonly place: string;
  /** What lay beside it. */
  readonly also: readonly { readonly file: string; readonly place: string }[];
  readonly list: readonly Readonly<Record<string, unknown>>[];
  readonly resume: Readonly<Record<string, unknown>>;
  readonly tokenUsage: { readonly total: Readonly<Record<string, number>> } | undefined;
  /** The model context with the base instructions first; undefined where it opens no such file. */
  readonly input: readonly Readonly<Record<string, unknown>>[] | undefined;
}

type Answers = Omit<Recorded, 'name' | 'also'> & Partial<Pick<Recorded, 'also'>>;

export const RECORDED: readonly Recorded[] = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => {
    const name = file.replace('.jsonl', '');
    const text = readFileSync(join(FIXTURES, `${name}.expected.json`), 'utf8');
    const answers = JSON.parse(text) as Answers;
    return { name, also: [], ...answers };
  });

/** A copy of the recorded home with its databases: `.codex` in a new directory that goes away with the test. */
export async function copyHome(): Promise<{ readonly world: string; readonly home: string }> {
  const world = await makeTempDir();
  const home = join(world, '.codex');
  await cp(join(FIXTURES, 'home'), home, { recursive: true });
  return { world, home };
}

/** Puts a recorded file, with those beside it, into a home directory of its own; returns its path. */
export async function placeRecorded(recorded: Recorded): Promise<string> {
  return placeIn(await makeTempDir(), recorded);
}

/** The same in a directory that there is. */
export async function placeIn(home: string, { name, place, also }: Recorded): Promise<string> {
  for (const one of [{ file: `${name}.jsonl`, place }, ...also]) {
    const path = join(home, one.place);
    await mkdir(dirname(path), { recursive: true });
    await cp(join(FIXTURES, one.file), path);
  }
  return join(home, place);
}

export function getRecorded(name: string): Recorded {
  const found = RECORDED.find((recorded) => recorded.name === name);
  if (!found) throw new Error(`nothing is recorded as ${basename(name)}`);
  return found;
}
