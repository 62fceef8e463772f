import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const FIXTURES = fileURLToPath(new URL('../../../fixtures/neovate', import.meta.url));

/** What the real 0.17.1 answered for one file. */
export interface Recorded {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  /** Undefined where it threw or never returned. */
  readonly pathUuids: readonly string[] | undefined;
  readonly row: { readonly messageCount: number; readonly summary: string };
}

interface Expected {
  readonly real_0_17_1: {
    readonly loadSessionMessages: { readonly ok: boolean; readonly uuids?: readonly string[] };
    readonly getAllSessionsRow: Recorded['row'];
  };
}

export const RECORDED: readonly Recorded[] = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => {
    const name = file.replace('.jsonl', '');
    const path = join(FIXTURES, file);
    const answers = readFileSync(join(FIXTURES, `${name}.expected.json`), 'utf8');
    const { loadSessionMessages, getAllSessionsRow } = (JSON.parse(answers) as Expected)
      .real_0_17_1;
    const pathUuids = loadSessionMessages.ok ? (loadSessionMessages.uuids ?? []) : undefined;
    return { name, path, text: readFileSync(path, 'utf8'), pathUuids, row: getAllSessionsRow };
  });

export function getRecorded(name: string): Recorded {
  const found = RECORDED.find((recorded) => recorded.name === name);
  if (!found) throw new Error(`nothing is recorded as ${name}`);
  return found;
}

export const OPENED = RECORDED.flatMap((recorded) => {
  const { pathUuids: uuids } = recorded;
  return uuids === undefined ? [] : [{ ...recorded, uuids }];
});
export const NOT_OPENED = RECORDED.filter(({ pathUuids }) => pathUuids === undefined);
