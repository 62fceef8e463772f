import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContext } from '../../src/session/read/read-context.ts';
import { readSession } from '../../src/session/read/read-session.ts';
import { runTest } from '../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { Reference } from './reference.ts';
import { findSessionFiles } from './session-files.ts';

let reference: Reference;

beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

async function exportJsonl(path: string, ...args: string[]): Promise<string> {
  const { out, err, exitCode } = await runTest(['export', path, '--as', 'jsonl', ...args]);
  // 3: a fork without its beginning, or a damaged line, is exported and named.
  const isNamed = /is cut: the parent|could not be read/.test(err);
  expect({ err, exitCode }).toEqual({ err: isNamed ? err : '', exitCode: isNamed ? 3 : 0 });
  const dir = await makeTempDir();
  await writeFiles(dir, { 'exported.jsonl': out });
  return join(dir, 'exported.jsonl');
}

/** As JSON: what is undefined on either side is not there. */
function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe('export --as jsonl', () => {
  it.each(findSessionFiles().map((path) => [basename(path), path]))(
    'opens in pi with the same context: %s',
    async (_name, path) => {
      const exported = await exportJsonl(path);
      const before = await reference.ask({ ask: 'session', path });
      const after = await reference.ask({ ask: 'session', path: exported });
      expect(after.header).toMatchObject({ version: 3, id: before.header['id'] });
      expect(after.name).toEqual(before.name);
      // pi makes up ids for old files at random: what names them is compared by our own reading.
      const context = await readContext(path);
      expect(toJson(after.context)).toEqual(toJson(context));
      expect(await readContext(exported)).toEqual(context);
    },
  );

  it('opens with the context of any other branch', async () => {
    let compared = 0;
    for (const path of findSessionFiles()) {
      const { session } = await readSession(path);
      const step = Math.ceil(session.entries.length / 5);
      for (const [ordinal, { id }] of session.entries.entries()) {
        if (id === undefined || ordinal % step !== 0) continue;
        const exported = await exportJsonl(path, '--branch', id);
        const theirs = await reference.ask({ ask: 'contextAt', path, entryOrdinal: ordinal });
        const after = await reference.ask({ ask: 'session', path: exported });
        const isOurs = toJson(await readContext(path, { leafId: id }));
        expect(toJson(after.context), `${basename(path)} at ${ordinal}`).toEqual(isOurs);
        expect(after.context.messages.length).toBe(theirs.messages.length);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(50);
  });
});
