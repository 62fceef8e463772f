import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';
import { readOutput } from './read-output.ts';

const HOME = join(import.meta.dirname, '../../fixtures/claude-code/home');
const TOOLS = '.claude/projects/-home-u-demo-project/aaaaaaaa-0000-4000-8000-000000000001.jsonl';
const BEFORE = ['--branch', '4d90f0'];
const TIME = '2026-01-05T10:00:00.000Z';

describe('an export of a session of Claude Code', () => {
  it('takes secrets out of what sub-agents and their names say', async () => {
    const cwd = await makeTempDir();
    const secret = 'correct-horse-battery-staple-77';
    await writeFiles(cwd, { 'secrets.txt': `${secret}\n` });
    await cp(join(HOME, '.claude'), join(cwd, '.claude'), { recursive: true });
    const folder = join(cwd, TOOLS.replace('.jsonl', ''), 'subagents');
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace('count one', secret).replace('"One"', `"${secret}"`));
    }
    const argv = ['export', TOOLS, '--as', 'json', '--secret-file', 'secrets.txt', ...BEFORE];
    const { out } = await runTest(argv, { cwd });
    expect(out).toContain('Sub-agent Explore');
    expect(out).not.toContain(secret);
  });

  it.each(['json', 'md', 'parquet'])(
    'takes out of %s what only a sub-agent gives away',
    async (format) => {
      const cwd = await makeTempDir();
      const secret = 'Zk3v9-8842xQw8E';
      await cp(join(HOME, '.claude'), join(cwd, '.claude'), { recursive: true });
      const folder = join(cwd, TOOLS.replace('.jsonl', ''));
      const title = { type: 'custom-title', customTitle: `plain ${secret}` };
      await writeFile(join(folder, 'custom-title.json'), JSON.stringify(title));
      for (const name of await readdir(join(folder, 'subagents'))) {
        const path = join(folder, 'subagents', name);
        const text = await readFile(path, 'utf8');
        await writeFile(path, text.replaceAll('count one', `DB_PASSWORD=${secret}`));
      }
      const branch = format === 'parquet' ? [] : BEFORE;
      const argv = ['export', TOOLS, '--as', format, '--redact', '--out', 'out', ...branch];
      await runTest(argv, { cwd });
      const out = await readOutput(join(cwd, 'out'));
      expect(out).toContain('plain [REDACTED:assigned-secret]');
      expect(out).not.toContain(secret);
    },
  );

  it.each(['md', 'parquet'])('is made anew as %s once a sub-agent has changed', async (format) => {
    const cwd = await makeTempDir();
    const secret = 'Zk3v9-8842xQw8E';
    await cp(join(HOME, '.claude'), join(cwd, '.claude'), { recursive: true });
    const run = () =>
      runTest(['export', TOOLS, '--as', format, '--redact', '--out', 'out'], { cwd });
    const change = async (path: string, from: string, to: string): Promise<void> => {
      const text = await readFile(path, 'utf8');
      expect(text).toContain(from);
      await writeFile(path, text.replaceAll(from, to));
    };
    const folder = join(cwd, TOOLS.replace('.jsonl', ''), 'subagents');
    const log = (await readdir(folder)).find((name) => name.endsWith('.jsonl')) ?? '';
    await change(join(cwd, TOOLS), 'first prompt', `first ${secret} prompt`);
    await run();
    expect(await readOutput(join(cwd, 'out'))).toContain(secret);
    await change(join(folder, log), 'count', `DB_PASSWORD=${secret} count`);
    await run();
    expect(await readOutput(join(cwd, 'out'))).not.toContain(secret);
    expect((await run()).out).toContain('1 not changed');
  });

  it.each(['json', 'md', 'parquet'])(
    'shows no part of a secret in the title of a session, as %s, that goes on in the next block',
    async (format) => {
      const cwd = await makeTempDir();
      const [first, second] = [
        ['use ghp_faXj0nPlnz2LQphSOcohtVQx', 'YzuSaz1pRt78 now'],
        ['use Zk3v9x8', '842xQw8E now'],
      ].map((texts) => texts.map((text) => ({ type: 'text', text })));
      const say = (uuid: string, content: unknown): object => {
        const message = { role: 'user', content };
        return { type: 'user', uuid, parentUuid: null, timestamp: TIME, sessionId: uuid, message };
      };
      await writeFiles(cwd, {
        'a/aaaaaaaa-0000-4000-8000-000000000001.jsonl': toJsonl([
          say('bbbbbbbb-0000-4000-8000-000000000001', first),
        ]),
        'a/aaaaaaaa-0000-4000-8000-000000000002.jsonl': toJsonl([
          say('bbbbbbbb-0000-4000-8000-000000000002', second),
          say('bbbbbbbb-0000-4000-8000-000000000003', 'DB_PASSWORD=Zk3v9x8842xQw8E'),
        ]),
      });
      await runTest(['export', 'a', '--as', format, '--redact', '--out', 'out'], { cwd });
      const out = await readOutput(join(cwd, 'out'));
      expect(out).toContain('use [REDACTED:');
      for (const part of ['faXj0nPlnz2LQphSOcohtVQx', 'Zk3v9x8']) expect(out).not.toContain(part);
    },
  );
});
