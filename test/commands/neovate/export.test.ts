import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES, getRecorded, OPENED } from '../../session/agents/neovate/recorded.ts';
import { loadConfig, loadNeovate } from '../../session/agents/neovate/neovate-loader.ts';
import { makeHome } from './world.ts';

async function exportAs(format: string, name: string, ...args: string[]): Promise<string> {
  const file = `${name}.jsonl`;
  const run = await runTest(['export', file, '--as', format, ...args], { cwd: FIXTURES });
  // 3: the path of one of them is cut, which is said beside the document.
  if (run.exitCode !== (name === 'broken-dangling-parent' ? 3 : 0)) throw new Error(run.err);
  return run.out;
}

const SPOKEN = OPENED.filter(({ uuids }) => uuids.length > 0);

describe('export of a Neovate session', () => {
  it.each(SPOKEN)('as jsonl is one that loads the same path: $name', async ({ name, text }) => {
    const exported = await exportAs('jsonl', name);
    const withoutParent = (messages: ReturnType<typeof loadNeovate>) =>
      messages.map(({ parentUuid: _, ...message }) => message);
    expect(withoutParent(loadNeovate(exported))).toEqual(withoutParent(loadNeovate(text)));
    expect(loadConfig(exported)).toEqual(loadConfig(text));
  });

  it('as jsonl cuts what the path hangs on and is not there', async () => {
    const [first] = loadNeovate(await exportAs('jsonl', 'broken-dangling-parent'));
    expect(first?.parentUuid).toBeNull();
  });

  it.each(['md', 'html', 'text', 'json', 'chat', 'atif', 'sts'])(
    'as %s says what was said',
    async (format) => {
      const out = await exportAs(format, 'compacted-slash');
      expect(out).toContain('Question three, after compaction');
      expect(await exportAs(format, 'linear-tools')).toContain('successfully edited');
      expect(await exportAs(format, 'legacy-0.14.0-tools')).toContain('It is a demo project.');
    },
  );

  it.each(['md', 'text', 'json', 'chat', 'atif', 'sts'])(
    'as %s leaves out what a summary stands for',
    async (format) => {
      expect(await exportAs(format, 'compacted-slash')).not.toContain('Answer one');
    },
  );

  it('says thoughts, calls, results, commands and images in the words of every agent', async () => {
    const text = await exportAs('text', 'linear-tools');
    expect(text).toContain('Read the file first.');
    expect(text).toContain(
      '--- Assistant · 2026-11-20T23:57:20.937Z · anthropic/claude-sonnet-4-5',
    );
    const bash = await exportAs('text', 'bang-slash-plan');
    expect(bash).toContain('$ node -e "process.exit(3)"\nexit code 3');
    const html = await exportAs('html', 'image-attachment');
    expect(html).toContain('data:image/png;base64,iVBORw0KGgo');
  });

  it('can be of one branch, or of all', async () => {
    const branch = await exportAs('text', 'forked', '--branch', '039af51d');
    expect(branch).toContain('Make it generic');
    expect(branch).not.toContain('Use merge sort instead');
    const all = await exportAs('json', 'forked', '--all-branches');
    expect(all).toContain('Make it generic');
    expect(all).toContain('Use merge sort instead');
  });

  it('refuses one that the agent does not open, and says what to do', async () => {
    await expect(exportAs('md', 'broken-self-parent')).rejects.toThrow(/Neovate hangs/);
    expect(getRecorded('broken-self-parent').pathUuids).toBeUndefined();
  });

  it('of both agents goes to one folder, with the working directory that is known', async () => {
    const world = await makeHome({ withPi: true });
    const { exitCode } = await world.run('export', '--as', 'json', '--out', 'out');
    expect(exitCode).toBe(0);
    const listed = await runTest(['export', '--as', 'json', '80c4'], {
      cwd: world.home,
      home: world.home,
    });
    expect(JSON.parse(listed.out)).toMatchObject({ session: { cwd: '/home/u/demo-project' } });
  });
});
