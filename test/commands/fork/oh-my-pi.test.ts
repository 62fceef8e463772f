import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSession } from '../../../src/session/read/read-session.ts';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeOld, makeTempDir } from '../../temp-dir.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/oh-my-pi');

async function copy(name: string): Promise<string> {
  const path = join(await makeTempDir(), name);
  await copyFile(join(FIXTURES, name), path);
  await makeOld([path]);
  return path;
}

async function fork(name: string, ...options: string[]): Promise<readonly string[]> {
  const { out } = await runTest(['fork', await copy(name), ...options]);
  return (await readFile(out.trim(), 'utf8')).split('\n');
}

function parse(line = ''): unknown {
  return JSON.parse(line);
}

describe('a fork of a session of oh-my-pi', () => {
  it('has the title of its source on the first line', async () => {
    const [title] = await fork('named.jsonl');
    expect(parse(title)).toMatchObject({ type: 'title', v: 1, source: 'user' });
    expect(parse(title)).toMatchObject({ title: 'By its user: \u201cname\u201d' });
  });

  it.each(['New name', 'n\u00e4me '.repeat(60), '\u{1f33f}'.repeat(100)])(
    'has the name that it gets there, on a line of 256 bytes: %s',
    async (name) => {
      const lines = await fork('named.jsonl', '--name', name);
      expect(parse(lines[0])).toMatchObject({
        title: expect.stringMatching(/^n\u00e4me|New|\u{1f33f}/u),
      });
      expect(Buffer.byteLength(`${lines[0]}\n`)).toBe(256);
      expect(lines.join('\n')).not.toContain('session_info');
    },
  );

  it('has the directories of the workspace', async () => {
    const [, header] = await fork('workspace.jsonl');
    const additionalDirectories = ['/home/ann/src/web', '/var/tmp'];
    expect(parse(header)).toMatchObject({ cwd: '/home/ann/src/api', additionalDirectories });
  });

  it('does not add its own directory to the workspace', async () => {
    const [, header] = await fork('workspace.jsonl', '--cwd', '/home/ann/src/web');
    expect(parse(header)).toMatchObject({ additionalDirectories: ['/var/tmp'] });
  });
});

describe('a session of oh-my-pi that is named in place', () => {
  it.each(['Renamed', 'n\u00e4me '.repeat(60)])('has that on the first line: %s', async (name) => {
    const path = await copy('named.jsonl');
    const command = ['fork', path, '--in-place', '--name', name, '--apply', '--json'];
    const before = await readFile(path, 'utf8');
    expect((await runTest(command)).out).toContain('"action":"label"');
    const [title = '', ...lines] = (await readFile(path, 'utf8')).split('\n');
    const { header, entries } = (await readSession(path)).session;
    expect(name.trim()).toContain(header?.title?.name.trim());
    expect(Buffer.byteLength(`${title}\n`)).toBe(256);
    expect(lines.join('\n').startsWith(before.slice(before.indexOf('\n') + 1))).toBe(true);
    expect(entries.at(-1)).toMatchObject({ type: 'title_change', parentId: entries.at(-2)?.id });
    expect((await validateSession(path, { levels: new Map() }))?.findings).toEqual([]);
    expect((await runTest([...command, '--grace', '0s'])).out).toContain('"action":"unchanged"');
  });
});
