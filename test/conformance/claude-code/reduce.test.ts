import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ENTRY_REDUCERS, type EntryReducerName } from '../../../src/session/dialect/reduction.ts';
import { reduceSession } from '../../../src/session/reduce/reduce-session.ts';
import { openImageFiles } from '../../../src/store/output/image-files.ts';
import { ClaudeCode, type Resumed } from './client.ts';
import { type Corpus, CORPUS } from './corpus.ts';

let client: ClaudeCode;
let dir: string;

beforeAll(() => {
  client = new ClaudeCode();
  dir = mkdtempSync(join(tmpdir(), 'claude-code-reduce-'));
});
afterAll(() => {
  client.close();
  rmSync(dir, { recursive: true, force: true });
});

const resumed = new Map<string, Promise<Resumed>>();

/** What the client does with a session as it was, asked once. */
function resume(path: string): Promise<Resumed> {
  const known = resumed.get(path) ?? client.resume(path);
  resumed.set(path, known);
  return known;
}

/** Takes entries out of a copy; undefined where that is refused, or nothing can go. */
async function reduce(
  { name, path }: Corpus,
  entries: readonly EntryReducerName[],
): Promise<string | undefined> {
  const copy = join(dir, `${name}-${entries.join('-')}.jsonl`);
  cpSync(path, copy);
  const { action } = await reduceSession(copy, {
    entries,
    images: undefined,
    toolOutput: undefined,
    openImages: openImageFiles,
    apply: true,
    signal: new AbortController().signal,
  });
  return action === 'reduce' ? copy : undefined;
}

const SETS = [...ENTRY_REDUCERS.map((name) => [name]), [...ENTRY_REDUCERS]];
const CASES = CORPUS.flatMap((recorded) =>
  SETS.map((entries) => ({ recorded, entries, name: `${recorded.name}: ${entries.join(' ')}` })),
);

describe.concurrent('the client sends the same once entries are taken out', () => {
  it.for(CASES)('$name', async ({ recorded, entries }, { expect }) => {
    const reduced = await reduce(recorded, entries);
    if (reduced === undefined) return;
    const [before, after] = await Promise.all([resume(recorded.path), client.resume(reduced)]);
    expect(after.sent).toEqual(before.sent);
    expect(after.exit).toBe(before.exit);
  });
});
