import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleSession } from '../sample-session.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { runCommandLine, runOnWindows, toWindowsPath } from './node-exe.ts';

const ID = '0199a111-0000-7000-8000-000000000001';
const LONG_AGO = new Date('2026-06-01T00:00:00.000Z');
const NAME = `2026-01-01T00-00-00-000Z_${ID}.jsonl`;

let dir: string;
let home: string;

beforeEach(async () => {
  dir = await makeTempDir();
  home = join(dir, 'home');
  mkdirSync(home);
});

const run = (args: readonly string[], input?: string) =>
  runOnWindows(args, { cwd: dir, home, ...(input !== undefined && { input }) });

async function list(args: readonly string[], input?: string): Promise<readonly unknown[]> {
  const { code, out, err } = await run(['list', '--json', ...args], input);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out).results;
}

describe('on Windows', () => {
  it('stores, settings and caches are where the user has them, and nothing is put elsewhere', async () => {
    await writeFiles(home, {
      [`.pi/agent/sessions/--C--src-api--/${NAME}`]: sampleSession({ id: ID, cwd: 'C:\\src\\api' }),
      'AppData/Roaming/coppice/config.json': '{\r\n  "list": { "columns": "session" }\r\n}\r\n',
    });
    const { code, out, err } = await run(['list']);
    expect([code, err, out.split('\n')[0]]).toEqual([0, '', 'SESSION']);
    expect(existsSync(join(home, 'AppData/Local/coppice/Cache'))).toBe(true);
    expect(readdirSync(home).toSorted()).toEqual(['.pi', 'AppData']);
  });

  it('sessions are named by paths, globs, and lists with CRLF', async () => {
    await writeFiles(dir, { [`sub/${NAME}`]: sampleSession({ id: ID }) });
    const session = expect.objectContaining({ path: `${toWindowsPath(dir)}\\sub\\${NAME}` });
    for (const target of [`sub\\${NAME}`, 'sub\\*.jsonl', 'SUB/*.JSONL'.toLowerCase(), 'sub/']) {
      expect(await list([target])).toEqual([session]);
    }
    expect(await list(['-'], `sub\\${NAME}\r\n\r\n`)).toEqual([session]);
  });

  it('a project is selected by any spelling of its directory', async () => {
    await writeFiles(dir, { [`store/${NAME}`]: sampleSession({ id: ID, cwd: 'C:\\Src\\Api' }) });
    const count = async (project: string) =>
      (await list(['--store', 'store', '--project', project])).length;
    expect(await count('c:/src')).toBe(1);
    expect(await count('C:\\SRC\\api\\')).toBe(1);
    expect(await count('D:\\src')).toBe(0);
    expect(await count('/src')).toBe(0);
  });

  it('a fork lies in the directory that pi gives its project', async () => {
    await writeFiles(dir, {
      [`store/--home-u--/${NAME}`]: sampleSession({ id: ID, cwd: '/home/u' }),
    });
    const fork = ['fork', '--store', 'store', ID, '--cwd', 'C:\\Users\\me\\src'];
    expect(await run(fork)).toMatchObject({ code: 0 });
    expect(readdirSync(join(dir, 'store')).toSorted()).toEqual([
      '--C--Users-me-src--',
      '--home-u--',
    ]);
  });

  it('nothing is removed for a directory that cannot be judged', async () => {
    await writeFiles(dir, {
      'store/a.jsonl': sampleSession({ id: 'other-system', cwd: '/home/u/gone' }),
      'store/b.jsonl': sampleSession({ id: 'no-drive', cwd: 'Q:\\src' }),
      'store/c.jsonl': sampleSession({ id: 'gone', cwd: 'C:\\windows\\gone' }),
      'store/d.jsonl': sampleSession({ id: 'other-machine', cwd: 'C:\\workspaces\\api' }),
    });
    for (const name of ['a', 'b', 'c', 'd'])
      utimesSync(join(dir, 'store', `${name}.jsonl`), LONG_AGO, LONG_AGO);
    const args = ['prune', '--store', 'store', '--missing-cwd', '--grace', '0s', '--json'];
    const { out } = await run(args);
    const results: readonly { id: string; action: string }[] = JSON.parse(out).results;
    expect(Object.fromEntries(results.map(({ id, action }) => [id, action]))).toEqual({
      'other-system': 'keep',
      'no-drive': 'keep',
      'other-machine': 'keep',
      gone: 'remove',
    });
    expect(out).toContain('its drive or share Q:\\\\ is not there');
  });

  it('paths may have more than 260 characters', async () => {
    const deep = Array.from({ length: 6 }, () => 'd'.repeat(60)).join('/');
    await writeFiles(dir, { [`${deep}/${NAME}`]: sampleSession({ id: ID }) });
    expect(await list(['.'])).toHaveLength(1);
    const exported = ['export', '.', '--as', 'md', '--out', `${deep}/out`];
    expect(await run(exported)).toMatchObject({ code: 0 });
    expect(readdirSync(join(dir, deep, 'out')).some((name) => name.endsWith('.md'))).toBe(true);
  });
});

describe('the task of docs/prune.md', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/prune.md', import.meta.url)), 'utf8');
  const [, command = ''] = /^```bat\n(schtasks .*)\n```$/m.exec(page) ?? [];
  const [, options = '', task = ''] = /^schtasks (.*) \/TR "([^"]*)"$/.exec(command) ?? [];

  it('is what schtasks takes', () => {
    // As its own help has it: a task to be run has up to 261 characters.
    expect(options).toMatch(/^\/Create \/F \/TN [\w-]+ \/SC DAILY \/ST ([01]\d|2[0-3]):[0-5]\d$/);
    expect(task.length).toBeLessThanOrEqual(261);
  });

  it('does in cmd.exe what it should', async () => {
    await writeFiles(home, { [`.pi/agent/sessions/--p--/${NAME}`]: sampleSession({ id: ID }) });
    const line = task.replace(/^cmd \/c /, '').replaceAll('%USERPROFILE%', toWindowsPath(home));
    expect(await runCommandLine(line, { cwd: dir, home })).toMatchObject({ code: 0 });
    expect(readFileSync(join(home, 'coppice.log'), 'utf8')).not.toContain('coppice:');
    expect(existsSync(join(home, 'coppice.log'))).toBe(true);
  });
});
