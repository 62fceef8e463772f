import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateSession } from '../../src/session/migrate/migrate-session.ts';
import { type OpenedSession, Reference } from './reference.ts';
import { findSessionFiles } from './session-files.ts';
import type { MigrationResult } from '../../src/session/migrate/types.ts';

let reference: Reference;
let dir: string;

beforeAll(() => {
  reference = new Reference();
  dir = mkdtempSync(join(tmpdir(), 'coppice-migrate-'));
});
afterAll(async () => {
  await reference.close();
  rmSync(dir, { recursive: true });
});

/** Ids are made by chance in pi, so entries are named by position. */
function describeOpened({
  header,
  tree,
  branchOrdinals,
  entryCount,
  name,
  context,
}: OpenedSession) {
  const { id, cwd, timestamp, version } = header;
  const rows = tree.map(({ ordinal, depth, label }) => ({ ordinal, depth, label }));
  return { id, cwd, timestamp, version, rows, branchOrdinals, entryCount, name, context };
}

async function ask(path: string) {
  return describeOpened(await reference.ask({ ask: 'session', path }));
}

async function migrateCopy(text: Buffer | string, name: string): Promise<MigrationResult> {
  const path = join(dir, name);
  writeFileSync(path, text);
  const result = await migrateSession(path, { apply: true, findUse: () => undefined });
  if (!('path' in result)) throw new Error(result.problem.message);
  return result;
}

/** The header as it was before pi's fork put a new one above the old entries. */
function setVersion(text: string, version: number | undefined): string {
  const end = text.indexOf('\n');
  const header: unknown = JSON.parse(text.slice(0, end));
  return JSON.stringify(Object.assign({}, header, { version })) + text.slice(end);
}

const FORKED: ReadonlyMap<string, number | undefined> = new Map([
  ['0.87.1-forked-v1-under-v3-header.jsonl', undefined],
  ['0.87.1-forked-v2-under-v3-header.jsonl', 2],
]);

const files = findSessionFiles().filter((path) => !FORKED.has(basename(path)));

describe('pi opens what we migrate as it opens what it migrates itself', () => {
  it.each(files.map((path) => [basename(path), path]))('%s', async (name, path) => {
    const original = readFileSync(path);
    const { action, fromVersion } = await migrateCopy(original, name);
    expect(action).toBe((fromVersion ?? 0) < 3 ? 'migrate' : 'unchanged');
    expect(readFileSync(join(dir, name)).equals(original)).toBe(action === 'unchanged');
    expect(await ask(join(dir, name))).toEqual(await ask(path));
  });

  it.each([...FORKED])('%s, as if its header were as old as its entries', async (name, version) => {
    const path = findSessionFiles().find((one) => basename(one) === name) ?? '';
    const { action, fromVersion } = await migrateCopy(readFileSync(path), name);
    expect([action, fromVersion]).toEqual(['migrate', 3]);
    const honest = join(dir, `honest-${name}`);
    writeFileSync(honest, setVersion(readFileSync(path, 'utf8'), version));
    expect(await ask(join(dir, name))).toEqual(await ask(honest));
  });
});

describe('a fork of v1 that pi has gone on writing', () => {
  it('is one conversation again, with what was added at its end', async () => {
    const name = '0.87.1-forked-v1-under-v3-header.jsonl';
    const path = join(dir, 'mixed.jsonl');
    copyFileSync(findSessionFiles().find((one) => basename(one) === name) ?? '', path);
    const before = readFileSync(path, 'utf8').split('\n').length - 2;
    const usage = { role: 'user', content: 'And now?', timestamp: 1_772_500_000_000 };
    await reference.ask({
      ask: 'script',
      release: '0.87.1',
      cwd: dir,
      dir: join(dir, 'script'),
      ops: [
        ['setSessionFile', path],
        ['appendMessage', usage],
        ['appendSessionInfo', 'goes on'],
      ],
    });
    const written = readFileSync(path);
    expect((await ask(path)).branchOrdinals).toEqual([before, before + 1]);

    expect((await migrateCopy(written, 'mixed.jsonl')).action).toBe('migrate');
    const opened = await ask(path);
    expect(opened.branchOrdinals).toEqual(Array.from({ length: before + 2 }, (_, index) => index));
    expect(opened.context.messages.at(-1)).toMatchObject(usage);
  });
});
