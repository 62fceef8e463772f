import { readdir, readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { branchedSession } from '../../branched-session.ts';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, { 's.jsonl': branchedSession() });
});

async function fork(...args: string[]) {
  const { PATH } = process.env;
  return runTest(['fork', 's.jsonl', ...args], { cwd: dir, env: { PATH } });
}

const withCommand = (command: string) => [
  '--summarize',
  '--summarizer',
  'command',
  '--summarizer-command',
  command,
];

describe('fork --summarize', () => {
  it.each([[['--at', 'start']], [['--before', 'cccc0005']]])(
    'ends the fork with a summary of what it leaves: %j',
    async (where) => {
      const { exitCode, out } = await fork(...where, '--summarize', '--name', 'Again', '--json');
      const [result] = JSON.parse(out).results;
      const validation = await validateSession(result.path, { levels: new Map() });
      expect(validation?.findings).toEqual([]);
      const lines = (await readFile(result.path, 'utf8')).trimEnd().split('\n');
      const [before, last] = lines.slice(-2).map((line) => JSON.parse(line));
      expect(exitCode).toBe(0);
      expect(before).toMatchObject({ type: 'session_info' });
      expect(last).toMatchObject({
        type: 'branch_summary',
        id: result.leafId,
        parentId: before.id,
        fromId: 'cccc0005',
        summary: expect.stringContaining('Cut it'),
        details: { readFiles: [], modifiedFiles: [] },
        fromHook: false,
      });
      expect(result).toMatchObject({ left: { summary: last.summary }, entries: lines.length - 1 });
    },
  );

  it('makes no summary and says why where nothing is left', async () => {
    const { exitCode, out, err } = await fork('--at', 'cccc0005', '--summarize');
    expect([exitCode, err]).toEqual([
      0,
      expect.stringContaining('No summary: the model would see nothing'),
    ]);
    expect(await readFile(out.trimEnd(), 'utf8')).not.toContain('branch_summary');
  });

  it.each([
    ['fails', 'exit 1'],
    ['says nothing', 'true'],
  ])('writes nothing when the program %s', async (_what, command) => {
    const { exitCode, out, err } = await fork('--at', 'start', ...withCommand(command));
    expect([exitCode, out]).toEqual([3, '']);
    expect(err).toContain('the entries that it leaves behind could not be summarized');
    expect(await readdir(dir)).toEqual(['s.jsonl']);
  });

  it('writes no NUL characters of a program, which a model refuses', async () => {
    const print = `node -e "console.log('## Goal' + String.fromCharCode(10, 0) + 'Ship')"`;
    const { exitCode, out } = await fork('--at', 'start', '--json', ...withCommand(print));
    const { summary } = JSON.parse(out).results[0].left;
    expect([exitCode, summary]).toEqual([0, expect.stringContaining('## Goal\nShip')]);
  });

  it('asks no program for a preview', async () => {
    const { exitCode } = await fork('--at', 'start', '--dry-run', ...withCommand('touch asked'));
    expect(exitCode).toBe(0);
    expect(await readdir(dir)).toEqual(['s.jsonl']);
  });

  it.each([
    [['--summarize'], '--summarize: needs --at or --before'],
    [['--whole', '--summarize'], '--summarize: needs --at or --before'],
    [['--points', '--summarize'], '--summarize: needs --at or --before'],
    [['--summarizer', 'command'], '--summarizer command: needs --summarize'],
    [['--at', 'start', '--summarize', '--summarizer', 'command'], 'needs --summarizer-command'],
  ])('refuses %j', async (args, message) => {
    const { exitCode, err } = await fork(...args);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
    expect(await readdir(dir)).toEqual(['s.jsonl']);
  });
});
