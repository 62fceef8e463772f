import {
  appendFileSync,
  chmodSync,
  existsSync,
  renameSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrateSession } from '../../../src/session/migrate/migrate-session.ts';
import { makeTempDir } from '../../temp-dir.ts';
import type { MigrateOptions } from '../../../src/session/migrate/types.ts';

const V1 = [
  '{"type":"session","id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/p"}',
  '{"type":"message","timestamp":"2025-01-01T00:01:00.000Z","message":{"role":"user","content":"hi","timestamp":1735689660000}}',
  '',
].join('\n');
const ARRAY = '[{"type":"session","id":"s","timestamp":1735689600000,"cwd":"/p"}]';
const MTIME = new Date('2025-01-01T00:02:00.000Z');

async function setUp(text = V1, name = 's.jsonl') {
  const dir = await makeTempDir();
  const path = join(dir, name);
  writeFileSync(path, text);
  utimesSync(path, MTIME, MTIME);
  const migrate = async (options: Partial<MigrateOptions> = {}) => {
    const all = { apply: true, findUse: () => undefined, ...options };
    const result = await migrateSession(path, all);
    return 'path' in result ? result : { action: result.kind, reasons: [result.problem.message] };
  };
  return { dir, path, migrate, read: () => readFileSync(path, 'utf8') };
}

describe('migrateSession', () => {
  it('says the same whether it applies or not, and the preview changes nothing', async () => {
    const { path, migrate, read } = await setUp();
    const preview = await migrate({ apply: false, backupSuffix: '.old' });
    expect(read()).toBe(V1);
    expect(await migrate({ backupSuffix: '.old' })).toEqual(preview);
    expect(preview).toEqual({
      path,
      action: 'migrate',
      reasons: ['version 1 to 3'],
      bytesBefore: Buffer.byteLength(V1),
      bytesAfter: statSync(path).size,
      fromVersion: 1,
      toVersion: 3,
      newPath: null,
      backupPath: `${path}.old`,
      problems: [],
    });
    expect(readFileSync(`${path}.old`, 'utf8')).toBe(V1);
    expect(statSync(`${path}.old`).mtime).toEqual(MTIME);
    expect(statSync(path).mtime).toEqual(MTIME);
    expect(await migrate()).toMatchObject({ action: 'unchanged' });
  });

  it('keeps the old file, not a link to the new one, when a link leads to it', async () => {
    const { dir, path } = await setUp();
    const link = join(dir, 'link.jsonl');
    symlinkSync(path, link);
    await migrateSession(link, { apply: true, findUse: () => undefined, backupSuffix: '.old' });
    expect(lstatSync(`${link}.old`).isSymbolicLink()).toBe(false);
    expect(readFileSync(`${link}.old`, 'utf8')).toBe(V1);
    expect(readFileSync(path, 'utf8')).toContain('"version":3');
  });

  it('never writes over a backup', async () => {
    const { path, migrate, read } = await setUp();
    writeFileSync(`${path}.old`, 'mine');
    for (const apply of [false, true]) {
      const result = await migrate({ apply, backupSuffix: '.old' });
      expect(result).toMatchObject({
        action: 'fail',
        reasons: [`would overwrite another file: ${path}.old`],
      });
    }
    expect([read(), readFileSync(`${path}.old`, 'utf8')]).toEqual([V1, 'mine']);
  });

  it('leaves a session alone that is in use by what is in it', async () => {
    const { dir, migrate, read } = await setUp();
    const seen: string[] = [];
    const findUse: MigrateOptions['findUse'] = ({ modified, fileModified }) => {
      seen.push(modified);
      expect(fileModified).toBe(MTIME.toISOString());
      return modified === '2025-01-01T00:01:00.000Z' ? 'in use' : undefined;
    };
    for (const apply of [false, true]) {
      const result = await migrate({ apply, findUse, backupSuffix: '.old' });
      expect(result).toMatchObject({ action: 'skip', reasons: ['in use'] });
    }
    expect(seen).toContain('2025-01-01T00:00:00.000Z');
    expect(read()).toBe(V1);
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('takes a backup away again when the file changes before it is replaced', async () => {
    const { dir, path, migrate } = await setUp();
    let calls = 0;
    const findUse = (): undefined => {
      calls += 1;
      if (calls > 1) utimesSync(path, 1, 1);
    };
    const result = await migrate({ findUse, backupSuffix: '.old' });
    expect(result).toMatchObject({ action: 'skip' });
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('writes elsewhere for its owner only, once, and leaves the source', async () => {
    const { dir, path, migrate, read } = await setUp();
    chmodSync(path, 0o644);
    const out = join(dir, 'out/deep/s.jsonl');
    expect(await migrate({ out })).toMatchObject({ action: 'migrate', newPath: out });
    expect(read()).toBe(V1);
    expect(readFileSync(out, 'utf8')).toContain('"version":3');
    expect(statSync(out)).toMatchObject({ mtime: MTIME });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(dir, 'out/deep'))).toEqual(['s.jsonl']);
    expect(await migrate({ out })).toMatchObject({ action: 'skip' });
  });

  it('makes of an array a new file, once, and keeps the array as its sidecar', async () => {
    const { dir, migrate } = await setUp(ARRAY, 's.json');
    const newPath = join(dir, 's.jsonl');
    expect(await migrate()).toMatchObject({ action: 'migrate', fromVersion: 0, newPath });
    const kept = join(dir, 's.json.migrated');
    expect(readdirSync(dir)).toEqual(['s.json.migrated', 's.jsonl']);
    expect(readFileSync(kept, 'utf8')).toBe(ARRAY);
    expect(readFileSync(newPath, 'utf8')).toBe(
      '{"type":"session","version":3,"id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/p"}\n',
    );
    expect(statSync(newPath).mtime).toEqual(MTIME);
    const again = { apply: true, findUse: () => undefined };
    expect(await migrateSession(kept, again)).toMatchObject({
      action: 'unchanged',
      reasons: [`was migrated to ${newPath}`],
    });
  });

  it('ends a run that was interrupted before the array had its new name', async () => {
    const { dir, path, migrate } = await setUp(ARRAY, 's.json');
    await migrate({ backupSuffix: '.v0' });
    expect(readdirSync(dir)).toEqual(['s.json.v0', 's.jsonl']);
    renameSync(join(dir, 's.json.v0'), path);
    const newPath = join(dir, 's.jsonl');
    expect(await migrate({ apply: false })).toMatchObject({ action: 'migrate', newPath });
    expect(readdirSync(dir)).toEqual(['s.json', 's.jsonl']);
    expect(await migrate()).toMatchObject({ backupPath: join(dir, 's.json.migrated') });
    expect(readdirSync(dir)).toEqual(['s.json.migrated', 's.jsonl']);
  });

  it('ends such a run also if the new session has got more lines since', async () => {
    const { dir, path, migrate } = await setUp(ARRAY, 's.json');
    await migrate({ backupSuffix: '.v0' });
    renameSync(join(dir, 's.json.v0'), path);
    appendFileSync(join(dir, 's.jsonl'), '{"type":"session_info","id":"1","parentId":null}\n');
    expect(await migrate()).toMatchObject({ action: 'migrate' });
    expect(readdirSync(dir)).toEqual(['s.json.migrated', 's.jsonl']);
  });

  it.each([false, true])(
    'leaves an array that an old release has continued its name: apply %s',
    async (apply) => {
      const { dir, path, migrate, read } = await setUp(ARRAY, 's.json');
      await migrate({ backupSuffix: '.v0' });
      renameSync(join(dir, 's.json.v0'), path);
      const message = { type: 'message', message: { role: 'user', content: 'More' } };
      const more = JSON.stringify([...(JSON.parse(ARRAY) as object[]), message]);
      writeFileSync(path, more);
      const newPath = join(dir, 's.jsonl');
      expect(await migrate({ apply })).toMatchObject({
        action: 'skip',
        newPath: null,
        reasons: [
          `may hold more than ${newPath}, which does not begin with all of it: give it another name that ends in .json`,
        ],
      });
      expect(readdirSync(dir)).toEqual(['s.json', 's.jsonl']);
      expect(read()).toBe(more);
    },
  );

  it('leaves an array unchanged beside another session of its name', async () => {
    const { dir, migrate, read } = await setUp(ARRAY, 's.json');
    writeFileSync(join(dir, 's.jsonl'), V1.replace('"id":"s"', '"id":"other"'));
    expect(await migrate()).toMatchObject({ action: 'skip' });
    expect(read()).toBe(ARRAY);
  });

  it('does not guess where an array goes that has the name of lines', async () => {
    const { migrate, read } = await setUp(ARRAY);
    expect(await migrate()).toMatchObject({ action: 'skip' });
    expect(read()).toBe(ARRAY);
  });

  it.each([
    ['a newer version', V1.replace('"id"', '"version":7,"id"'), 'skip'],
    ['the storage of pi-agent-core', '{"v":4,"kind":"header","sessionId":"s"}\n', 'skip'],
    ['entries without header', V1.slice(V1.indexOf('\n') + 1), 'skip'],
    ['something else', '{"a":1}\n', 'foreign'],
    ['nothing', '', 'empty'],
  ])('never changes %s', async (_name, text, action) => {
    const { dir, path, migrate, read } = await setUp(text);
    const { ino } = statSync(path);
    expect(await migrate()).toMatchObject({ action });
    expect(read()).toBe(text);
    expect(statSync(path).ino).toBe(ino);
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('says why when it cannot write, and leaves nothing', async () => {
    const { dir, path, migrate, read } = await setUp();
    const out = join(path, 'below-a-file');
    expect(await migrate({ out })).toMatchObject({ action: 'fail' });
    expect(read()).toBe(V1);
    expect(existsSync(out)).toBe(false);
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });
});
