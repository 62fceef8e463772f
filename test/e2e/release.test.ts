import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTempDir, writeFiles } from '../temp-dir.ts';

const SCRIPT = fileURLToPath(new URL('../../scripts/release.mjs', import.meta.url));
const NOTES = '# Changelog\n\n## Unreleased\n\n- Faster.\n\n## 0.1.0 - 2026-01-01\n\n- First.\n';

let dir: string;

async function run(command: string, ...args: string[]): Promise<string> {
  const who = { GIT_CONFIG_GLOBAL: '/dev/null', HOME: dir, npm_config_update_notifier: 'false' };
  const names = [
    'GIT_AUTHOR_NAME',
    'GIT_AUTHOR_EMAIL',
    'GIT_COMMITTER_NAME',
    'GIT_COMMITTER_EMAIL',
  ];
  const env = { PATH: process.env['PATH'], ...who };
  Object.assign(env, Object.fromEntries(names.map((name) => [name, 'test@example.org'])));
  return (await promisify(execFile)(command, args, { cwd: dir, env })).stdout;
}

const release = (version: string): Promise<string> => run(process.execPath, SCRIPT, version);

beforeEach(async () => {
  dir = await makeTempDir();
  const scripts = { check: 'true', 'test:package': 'true' };
  await writeFiles(dir, {
    'package.json': JSON.stringify({ name: 'x', version: '0.1.0', private: true, scripts }),
    'CHANGELOG.md': NOTES,
    '.gitignore': '.npm\n',
  });
  await run('git', 'init', '--quiet');
  await run('git', 'add', '.');
  await run('git', 'commit', '--quiet', '--message', 'first');
});

describe('a release', () => {
  it('dates the notes, sets the version, commits, tags, and publishes nothing', async () => {
    expect(await release('0.2.0')).toContain('Now: git push --follow-tags && npm publish');
    expect(JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')).version).toBe('0.2.0');
    expect(await readFile(join(dir, 'CHANGELOG.md'), 'utf8')).toMatch(
      /## Unreleased\n\n## 0\.2\.0 - \d{4}-\d\d-\d\d\n\n- Faster\.\n\n## 0\.1\.0/,
    );
    expect(await run('git', 'describe')).toBe('v0.2.0\n');
    expect(await run('git', 'status', '--porcelain')).toBe('');
  });

  it.each([
    ['two', async () => undefined, 'which version? As 1.2.3'],
    ['0.2.0', () => writeFiles(dir, { new: '' }), 'the working tree is not clean'],
    ['0.2.0', () => run('git', 'tag', 'v0.2.0'), 'v0.2.0 is there already'],
    ['0.2.0', () => emptyNotes(), 'CHANGELOG.md says nothing under "Unreleased"'],
  ])('%s is refused, and changes nothing', async (version, prepare, message) => {
    await prepare();
    const before = await run('git', 'rev-parse', 'HEAD');
    await expect(release(version)).rejects.toMatchObject({
      code: 1,
      stderr: `release: ${message}\n`,
    });
    expect(await run('git', 'rev-parse', 'HEAD')).toBe(before);
  });
});

async function emptyNotes(): Promise<void> {
  await writeFiles(dir, { 'CHANGELOG.md': NOTES.replace('- Faster.\n', '') });
  await run('git', 'commit', '--quiet', '--all', '--message', 'notes');
}
