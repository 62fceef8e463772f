import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const DIR = resolve(import.meta.dirname, '../../fixtures/claude-code');

/** A recorded session, or one made by hand, and what the real 2.1.332 sent to the model of it. */
export interface Corpus {
  readonly name: string;
  readonly path: string;
  readonly expectedPath: string;
  /** The folder with its sidecars, where it has one. */
  readonly sidecars?: string;
}

export const CORPUS: readonly Corpus[] = readdirSync(DIR)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => {
    const name = file.replace('.jsonl', '');
    const sidecars = join(DIR, name);
    return {
      name,
      path: join(DIR, file),
      expectedPath: join(DIR, `${name}.expected.json`),
      ...(existsSync(sidecars) && { sidecars }),
    };
  });
