import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { assistant, toSession, user } from '../../session-lines.ts';
import { makeTempDir, toJsonl } from '../../temp-dir.ts';
import { listOutside } from './hostile-world.ts';

const LONG_AGO = new Date('2026-04-01T00:00:00Z');
const image = {
  type: 'image',
  data: Buffer.alloc(900, 7).toString('base64'),
  mimeType: 'image/png',
};
const TALK = [
  user([{ type: 'text', text: 'Look.' }, image]),
  assistant('Seen. '.repeat(90)),
  user('So?'),
];

/** A directory with a store, and beside it what nobody may touch. */
async function setUp(lines: readonly object[] = toSession(TALK)) {
  const root = await makeTempDir();
  const path = join(root, 'store', 's.jsonl');
  mkdirSync(join(root, 'store'));
  mkdirSync(join(root, 'precious'));
  writeFileSync(join(root, 'precious', 'file'), 'precious');
  writeFileSync(path, toJsonl(lines), { mode: 0o600 });
  utimesSync(path, LONG_AGO, LONG_AGO);
  const run = (...argv: readonly string[]) =>
    runTest(argv, { cwd: root, home: join(root, 'home') });
  return { root, path, run };
}

const APPLY = ['--store', 'store', '--apply'];

describe('a link that leads out of the store', () => {
  it('is not followed by images', async () => {
    const { root, run } = await setUp();
    symlinkSync(join(root, 'precious'), join(root, 'store', 's'));
    const { exitCode, err } = await run('compact', ...APPLY, '--images', 'extract');
    expect([exitCode, readdirSync(join(root, 'precious'))]).toEqual([3, ['file']]);
    expect(err).toContain('a symbolic link is at this path');
  });

  it('is not followed by what a repair takes out', async () => {
    const { root, path, run } = await setUp();
    writeFileSync(path, `${toJsonl(toSession(TALK))}{"torn`);
    utimesSync(path, LONG_AGO, LONG_AGO);
    symlinkSync(join(root, 'precious', 'file'), `${path}.rejected`);
    const { exitCode } = await run('validate', '--store', 'store', '--fix');
    expect(exitCode).toBe(3);
    expect(readFileSync(join(root, 'precious', 'file'), 'utf8')).toBe('precious');
    expect(readFileSync(path, 'utf8').endsWith('{"torn')).toBe(true);
  });

  it('is not followed by a removal', async () => {
    const { root, run } = await setUp();
    symlinkSync(join(root, 'precious'), join(root, 'store', 's'));
    await run('prune', ...APPLY, '--older-than', '30d', '--allow-empty', '--delete');
    expect(readdirSync(join(root, 'precious'))).toEqual(['file']);
  });
});

const EVIL = '../../precious/\u001b[2J\u202e\u0007evil';
const HOSTILE = toSession([
  { type: 'session_info', name: EVIL },
  { type: 'model_change', provider: EVIL, modelId: EVIL },
  ...TALK,
  { type: 'label', targetId: 'e2', label: EVIL },
  { type: 'custom', customType: EVIL, data: { __proto__: { x: EVIL } } },
]).map((line, index) => (index === 0 ? { ...line, id: EVIL, cwd: `/${EVIL}` } : line));

const EVERY = [
  ['list', '--store', 'store'],
  ['list', '--store', 'store', '--by', 'project'],
  ['list', 'store/s.jsonl', '--entries'],
  ['validate', '--store', 'store'],
  ['validate', '--store', 'store', '--fix'],
  ['migrate', ...APPLY, '--out', 'out'],
  ['migrate', ...APPLY, '--cwd', '/=/somewhere'],
  ['fork', 'store/s.jsonl', '--whole', '--out', 'out'],
  ['compact', ...APPLY, '--force', '--keep-recent-tokens', '10'],
  ['compact', ...APPLY, '--images', 'extract'],
  ['prune', '--store', 'store', '--older-than', '30d', '--allow-empty'],
  ...['md', 'html', 'text', 'json', 'jsonl', 'chat', 'atif', 'sts', 'parquet'].map((format) => [
    'export',
    '--store',
    'store',
    '--as',
    format,
    '--out',
    'out',
    '--images',
    'extract',
  ]),
  ['prune', ...APPLY, '--older-than', '30d', '--allow-empty', '--archive', 'archive'],
];

describe.each(EVERY)('%s %s %s, on a session full of malice', (...argv) => {
  it('writes only where it may, for the owner only, and steers no terminal', async () => {
    const { root, run } = await setUp(HOSTILE);
    const { exitCode, out, err } = await run(...argv);
    expect([0, 1, 2, 3]).toContain(exitCode);
    // oxlint-disable-next-line no-control-regex -- what a terminal would obey
    expect(`${out}${err}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(listOutside(root, ['store', 'out', 'archive', 'home'])).toEqual(['precious/file']);
    const made = listOutside(root, ['precious']).map((name) => join(root, name));
    expect(made.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
  });
});
