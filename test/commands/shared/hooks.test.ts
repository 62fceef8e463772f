import { readdir, readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { branchedSession } from '../../branched-session.ts';
import { runTest } from '../../memory-terminal.ts';
import { assistant, toSession, toUsage, user } from '../../session-lines.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const FULL = toSession([
  user('Please add a login page to the app.'),
  assistant('It is there. '.repeat(400), { usage: toUsage(500_000) }),
  user('And now?'),
  assistant('Done.', { usage: toUsage(500_000) }),
]);

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, { 's.jsonl': branchedSession(), 'full.jsonl': toJsonl(FULL) });
});

async function run(argv: readonly string[], module: string, name = 'hooks.mjs') {
  await writeFiles(dir, { [name]: module });
  return runTest([...argv, '--hook', name], { cwd: dir, home: dir });
}

const COMPACT = ['compact', 'full.jsonl', '--keep-recent-tokens', '1', '--grace', '0min'];
const SUPPLY = `export const beforeCompaction = ({ branchEntries }) =>
  ({ compaction: { summary: \`\${branchEntries.length} entries\` } });`;
const CANCEL = 'export const beforeBranchSummary = () => ({ cancel: true });';

const readLast = async (name: string) => {
  const lines = (await readFile(`${dir}/${name}`, 'utf8')).trimEnd().split('\n');
  return JSON.parse(lines.at(-1) ?? '');
};

describe('compact --hook', () => {
  it('takes the compaction of a module, with --apply only', async () => {
    const preview = await run([...COMPACT, '--json'], SUPPLY);
    const [planned] = JSON.parse(preview.out).results;
    expect(planned.reasons).toContain('hooks are called with --apply');
    expect(planned.compaction.summary).not.toContain('entries');
    expect(await readLast('full.jsonl')).toMatchObject({ type: 'message' });

    const { exitCode } = await run([...COMPACT, '--apply'], SUPPLY);
    expect(exitCode).toBe(0);
    expect(await readLast('full.jsonl')).toMatchObject({ summary: '4 entries', fromHook: true });
  });

  it.each([
    ['nope.mjs', 'no such file'],
    ['folder', 'is a directory'],
    ['broken.mjs', 'cannot be loaded: '],
  ])('says why it cannot load %s', async (name, why) => {
    await writeFiles(dir, { 'folder/x': '', 'broken.mjs': 'export const a = {;' });
    const argv = [...COMPACT, '--apply', '--hook', name];
    const { exitCode, out, err } = await runTest(argv, { cwd: dir, home: dir });
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain(`coppice: --hook ${name}: ${why}`);
  });

  it.each([
    ['a CommonJS module', 'hooks.cjs', "exports.afterCompaction = () => { throw 'full'; };"],
    ['a default export', 'h.mjs', "export default { afterCompaction() { throw 'full'; } };"],
  ])('takes %s, and reports a hook that fails', async (_, name, module) => {
    const { exitCode, out } = await run([...COMPACT, '--apply', '--json'], module, name);
    const [result] = JSON.parse(out).results;
    expect(result.reasons).toContain('compacted, but afterCompaction failed: full');
    expect(exitCode).toBe(3);
    expect(await readLast('full.jsonl')).toMatchObject({ type: 'compaction' });
  });

  it.each([
    ['exports no hook', 'export const other = 1;', 'exports no hook; expected beforeCompaction'],
    [
      'exports no function',
      'export const afterCompaction = 1;',
      'afterCompaction is not a function',
    ],
    ['throws', "throw new Error('no key');", 'cannot be loaded: no key'],
  ])('refuses a module that %s', async (_, module, message) => {
    const { exitCode, err } = await run(COMPACT, module);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(`--hook hooks.mjs: ${message}`)]);
  });

  it('refuses a module that is not there, and reducers beside it', async () => {
    const gone = await runTest([...COMPACT, '--hook', 'gone.mjs'], { cwd: dir });
    expect([gone.exitCode, gone.err]).toEqual([2, expect.stringContaining('no such file')]);
    const both = await run([...COMPACT, '--summarized'], SUPPLY);
    expect([both.exitCode, both.err]).toEqual([2, expect.stringContaining('--summarized')]);
  });

  it("is taken from the user's configuration, and never from a project's", async () => {
    const config = JSON.stringify({ compact: { hook: 'hooks.mjs' } });
    await writeFiles(dir, { 'hooks.mjs': SUPPLY, 'coppice.config.json': config });
    const project = await runTest([...COMPACT, '--apply'], { cwd: dir, home: dir });
    expect([project.exitCode, project.err]).toEqual([
      2,
      expect.stringContaining('compact.hook: is not allowed in a project file'),
    ]);
    const args = [...COMPACT, '--apply', '--config', 'coppice.config.json'];
    const own = await runTest(args, { cwd: dir, home: dir });
    expect(own.exitCode).toBe(0);
    expect(await readLast('full.jsonl')).toMatchObject({ summary: '4 entries' });
  });
});

describe('fork --hook', () => {
  it('takes the summary of a module', async () => {
    const module = `export const beforeBranchSummary = ({ preparation: p }) =>
      ({ summary: { summary: \`\${p.entriesToSummarize.length} left for \${p.targetId}\`, details: [1] } });`;
    const { out } = await run(['fork', 's.jsonl', '--at', 'start', '--summarize'], module);
    const last = (await readFile(out.trimEnd(), 'utf8')).trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({
      type: 'branch_summary',
      summary: expect.stringMatching(/^\d left for \w+$/),
      details: [1],
      fromHook: true,
    });
  });

  it('makes nothing where a module cancels, also without a summary', async () => {
    const before = await readdir(dir);
    const { exitCode, err } = await run(['fork', 's.jsonl', '--at', 'start'], CANCEL);
    expect([exitCode, err]).toEqual([3, expect.stringContaining('cancelled by a hook')]);
    expect(await readdir(dir)).toEqual([...before, 'hooks.mjs'].toSorted());
  });

  it('leaves the session where a module cancels in place', async () => {
    const before = await readFile(`${dir}/s.jsonl`, 'utf8');
    const args = ['fork', 's.jsonl', '--in-place', '--at', 'start', '--apply', '--grace', '0min'];
    const { exitCode, out } = await run([...args, '--json'], CANCEL);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out).results).toMatchObject([
      { action: 'skip', reasons: ['cancelled by a hook'] },
    ]);
    expect(await readFile(`${dir}/s.jsonl`, 'utf8')).toBe(before);
  });

  it('names the field of a wrong answer', async () => {
    const module = 'export const beforeBranchSummary = () => ({ summary: { summary: 7 } });';
    const { exitCode, err } = await run(
      ['fork', 's.jsonl', '--at', 'start', '--summarize'],
      module,
    );
    expect(exitCode).toBe(3);
    expect(err).toContain('beforeBranchSummary.summary.summary: expected a text');
  });

  it('is refused where nothing is left behind', async () => {
    const { exitCode, err } = await run(['fork', 's.jsonl'], CANCEL);
    expect([exitCode, err]).toEqual([2, expect.stringContaining('needs --at or --before')]);
  });
});
