import { appendFile, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

let dir: string;

const run = (...args: string[]) => runTest(['export', ...args], { cwd: dir });

interface Report {
  readonly results: readonly { path: string; action: string; outputs?: readonly string[] }[];
  readonly summary: Readonly<Record<'exported' | 'unchanged' | 'bytesWritten', number>>;
}

async function exportAll(...args: string[]): Promise<Report> {
  const { out } = await run('--store', 'in', '--out', 'out', '--json', ...args);
  return JSON.parse(out) as Report;
}

/** The name of the first output that fits. */
async function findOutput(fits: (name: string) => boolean): Promise<string> {
  return (await readdir(join(dir, 'out'))).find(fits) ?? '';
}

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, {
    'in/a.jsonl': sampleSession({ id: 'a', text: 'Plant **trees**' }),
    'in/b.jsonl': sampleSession({ id: 'b', name: 'Prune', start: '2026-04-01T00:00:00.000Z' }),
  });
});

describe('export to standard output', () => {
  it('writes a title that is not HTML, also where nobody reads front matter', async () => {
    const name = 'a <script>alert(1)</script> & &#x202e;b';
    await writeFiles(dir, { 'x.jsonl': toJsonl(sampleSession({ name })) });
    const [, front = ''] = (await run('x.jsonl')).out.split('---\n');
    expect(front).not.toMatch(/[<&]/);
    const [title = ''] = front.split('\n');
    expect(JSON.parse(title.replace('title: ', ''))).toBe(name);
  });

  it('writes one session as Markdown', async () => {
    const { out, exitCode } = await run('in/a.jsonl');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^---\ntitle: "Plant \*\*trees\*\*"\nid: "a"\n/);
    expect(out).toContain('## User\n');
    expect(out).toContain('Plant **trees**');
    expect(out).toContain('Hello.');
  });

  it.each(['text', 'json', 'jsonl', 'html', 'chat', 'atif', 'sts'])('writes %s', async (as) => {
    const { out, exitCode, err } = await run('in/a.jsonl', '--as', as);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(out).toContain('Hello.');
  });

  it.each(['chat', 'atif'])('writes no half of %s where a session holds nothing', async (as) => {
    await writeFiles(dir, { 'x.jsonl': toJsonl(sampleSession().slice(0, 1)) });
    const { exitCode, out, err } = await run('x.jsonl', '--as', as);
    expect([exitCode, out]).toEqual([3, '']);
    expect(err).toContain(`holds nothing to export as ${as}`);
  });

  it('has the facts of a listing as JSON, and no others', async () => {
    const { out } = await run('in/a.jsonl', '--as', 'json');
    const { session } = JSON.parse(out) as { session: object };
    const listed = await runTest(['list', 'in/a.jsonl', '--usage', '--json'], { cwd: dir });
    const { results } = JSON.parse(listed.out) as { results: readonly object[] };
    expect(results[0]).toMatchObject(session);
    expect(session).toHaveProperty('messageCount', 2);
  });

  it('leaves out thinking and tools on request', async () => {
    const [header, question, answer] = sampleSession();
    const content = [
      { type: 'thinking', thinking: 'hmm, secretly' },
      { type: 'text', text: 'Said.' },
      { type: 'toolCall', id: 'c1', name: 'saw', arguments: {} },
    ];
    const said = structuredClone(answer) as { message: { content: unknown } };
    said.message.content = content;
    await writeFiles(dir, { 'x.jsonl': toJsonl([header ?? {}, question ?? {}, said]) });
    expect((await run('x.jsonl')).out).toMatch(/hmm, secretly[^]*saw/);
    const { out } = await run('x.jsonl', '--no-thinking', '--no-tools');
    expect(out).toContain('Said.');
    expect(out).not.toMatch(/secretly|saw/);
  });

  it.each([
    [['--store', 'in'], /one session, not 2/],
    [
      ['in/a.jsonl', '--branch', 'aaaaaaa1', '--all-branches'],
      /cannot be combined with --all-branches/,
    ],
    [['in/a.jsonl', '--all-branches'], /several files/],
    [['in/a.jsonl', '--as', 'parquet'], /add --out/],
    [['in/a.jsonl', '--format', 'json'], /^coppice: --format json: needs --out/],
    [['in/a.jsonl', '--out', '-', '--format', 'ndjson'], /cannot be combined with --out -/],
    [['in/a.jsonl', '--out', '-', '--json'], /^coppice: --json: cannot be combined with --out -/],
    [['in/a.jsonl', '--as', 'jsonl', '--no-tools'], /leaves out no part of a message/],
    [['in/a.jsonl', '--images', 'extract'], /needs --out/],
    [['in/a.jsonl', '--as', 'sts', '--images', 'inline'], /can drop them/],
    [['in/a.jsonl', '--no-redact', '--secret-file', 'x'], /cannot be combined with --no-redact/],
    [['in/a.jsonl', '--secret-file', 'missing'], /no such file/],
    [['in/a.jsonl', '--branch', 'nowhere'], /has no entry and no label nowhere/],
    [['--store', 'in', '--out', 'in'], /must not contain the sessions being exported/],
    [['--store', 'in', '--as', 'parquet', '--out', 'o', '--branch', 'x'], /cannot be combined/],
  ])('refuses %j', async (args, says) => {
    const { exitCode, err, out } = await run(...args);
    expect(err).toMatch(says);
    expect(exitCode).toBe(2);
    expect(out).toBe('');
  });
});

describe('to standard output', () => {
  it.each([
    ['e.jsonl', /e\.jsonl: is empty\n$/],
    ['f.jsonl', /f\.jsonl: is not a session file of a known agent\n$/],
  ])('a file that holds no session ends as in a folder: %s', async (name, says) => {
    await writeFiles(dir, { 'e.jsonl': '', 'f.jsonl': 'words\n' });
    const [alone, inFolder] = [await run(name), await run(name, '--out', 'o')];
    expect([alone.exitCode, alone.out]).toEqual([3, '']);
    expect(alone.err).toMatch(says);
    expect([inFolder.exitCode, inFolder.err]).toEqual([3, alone.err]);
  });
});

describe('a page', () => {
  it('titles calls by their arguments, sums up all tokens, and says that times are UTC', async () => {
    const [header = {}, question = {}, answer = {}] = sampleSession();
    const call = { type: 'toolCall', id: 'c', name: 'find', arguments: { minutes: 120 } };
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4000, totalTokens: 6 };
    const said = structuredClone(answer) as { message: object };
    const message = { ...said.message, content: [call], usage: { ...usage, cost: { total: 0 } } };
    await writeFiles(dir, { 'x.jsonl': [header, question, { ...answer, message }] });
    const { out } = await run('x.jsonl', '--as', 'html', '--out', '-');
    expect(out).toContain('find {\\"minutes\\":120}');
    expect(out).toContain('<dt>Tokens</dt><dd>4,006</dd>');
    expect(out).toContain('<dt>Started</dt><dd>2026-03-02 09:30 UTC</dd>');
    expect(await readdir(dir)).not.toContain('-');
  });
});

describe('characters that nobody could see', () => {
  const HIDDEN = 'ab\u202ecd\u2066ef\u200bgh\u2028ij\u{e0041}kl';
  const SEEN = /[\u202a-\u202e\u2066-\u2069\u200b\u2028\u2029\u{e0000}-\u{e007f}]/u;

  it.each(['md', 'text', 'html', 'json', 'chat'])('are shown or escaped in %s', async (as) => {
    const content = [
      { type: 'text', text: HIDDEN },
      { type: 'thinking', thinking: HIDDEN },
      { type: 'toolCall', id: 'c1', name: HIDDEN, arguments: { [HIDDEN]: HIDDEN } },
    ];
    const [header = {}, question = {}, answer = {}] = sampleSession({ text: HIDDEN, cwd: HIDDEN });
    const message = { role: 'assistant', content, model: HIDDEN, errorMessage: HIDDEN };
    const label = { type: 'label', id: 'l', parentId: 'aaaaaaa2', targetId: 'aaaaaaa1' };
    const lines = [header, question, { ...answer, message }, { ...label, label: HIDDEN }];
    await writeFiles(dir, { 'h/a.jsonl': lines, 'h/b.jsonl': lines });
    expect((await run('h/a.jsonl', '--as', as)).out).not.toMatch(SEEN);
    await run('--store', 'h', '--as', as, '--out', 'out');
    for (const name of await readdir(join(dir, 'out'))) {
      expect(name + (await readFile(join(dir, 'out', name), 'utf8'))).not.toMatch(SEEN);
    }
  });
});

describe('export to a directory', () => {
  it('writes a private file for each session, named by day, project and id', async () => {
    await exportAll();
    const names = (await readdir(join(dir, 'out'))).filter((name) => name.endsWith('.md'));
    expect(names).toEqual([
      expect.stringMatching(/^2026-03-02_orchard_a_[0-9a-f]{16}\.md$/),
      expect.stringMatching(/^2026-04-01_orchard_b_[0-9a-f]{16}\.md$/),
    ]);
    for (const name of names) {
      expect((await stat(join(dir, 'out', name))).mode & 0o777).toBe(0o600);
    }
  });

  it('makes only what changed the next time', async () => {
    expect((await exportAll()).summary).toMatchObject({ exported: 2, unchanged: 0 });
    expect((await exportAll()).summary).toMatchObject({ exported: 0, unchanged: 2 });
    await utimes(join(dir, 'in/b.jsonl'), 2_000_000_000, 2_000_000_000);
    expect((await exportAll()).summary).toMatchObject({ exported: 1, unchanged: 1 });
    expect((await exportAll('--no-tools')).summary).toMatchObject({ exported: 2 });
  });

  it('takes no export of an earlier run in a store for a session, but whatever else is there', async () => {
    const args = ['--store', 'in', '--as', 'jsonl', '--out', 'in/x', '--json'];
    const first = JSON.parse((await run(...args)).out) as Report;
    expect(first.summary).toMatchObject({ exported: 2 });
    expect((JSON.parse((await run(...args)).out) as Report).summary).toMatchObject({
      exported: 0,
      unchanged: 2,
    });
    const [name = ''] = await readdir(join(dir, 'in/x'));
    await appendFile(join(dir, 'in/x', name), '{"type":"custom"}\n');
    const { exitCode, err } = await run(...args);
    expect(exitCode).toBe(2);
    expect(err).toContain('must not contain the sessions being exported');
  });

  it('makes again what is gone, and everything when the index is damaged', async () => {
    const { results } = await exportAll();
    const [output] = results[0]?.outputs ?? [];
    await rm(output ?? '');
    expect((await exportAll()).summary).toMatchObject({ exported: 1, unchanged: 1 });
    await writeFiles(dir, { 'out/.coppice-export.json': '{"torn' });
    expect((await exportAll()).summary).toMatchObject({ exported: 2 });
  });

  it('counts the sessions of a part of the tables that cannot be written, and names its file once', async () => {
    await writeFiles(dir, {
      'months/a.jsonl': sampleSession({ id: 'a', start: '2026-01-01T00:00:00.000Z' }),
      'months/b.jsonl': sampleSession({ id: 'b', start: '2026-01-02T00:00:00.000Z' }),
      'months/c.jsonl': sampleSession({ id: 'c', start: '2026-02-01T00:00:00.000Z' }),
      'lake/entries/agent=pi/month=2026-01': '',
    });
    const argv = ['export', '--store', 'months', '--as', 'parquet', '--out', 'lake'];
    const { exitCode, out, err } = await runTest(argv, { cwd: dir });
    expect([exitCode, out]).toEqual([3, expect.stringContaining('Exported 1 of 3 sessions')]);
    expect(out).toContain('2 failed.');
    expect(err.match(/cannot write/g)).toHaveLength(1);
  });

  it('shows one row for each month of a data set, with its size', async () => {
    const args = ['--store', 'in', '--out', 'out', '--as', 'parquet'];
    const rowsOf = ({ out }: { out: string }) => out.split('\n').slice(0, -2);
    expect(rowsOf(await run(...args, '--dry-run'))).toEqual([
      expect.stringMatching(/^ACTION +RESULT +SESSIONS +SIZE$/),
      expect.stringMatching(/^export +agent=pi\/month=2026-03 +1 *$/),
      expect.stringMatching(/^export +agent=pi\/month=2026-04 +1 *$/),
    ]);
    await writeFiles(dir, { 'in/c.jsonl': sampleSession({ id: 'c' }) });
    expect(rowsOf(await run(...args)).slice(1)).toEqual([
      expect.stringMatching(/^export +agent=pi\/month=2026-03 +2 +[1-9]\S* kB$/),
      expect.stringMatching(/^export +agent=pi\/month=2026-04 +1 +[1-9]\S* kB$/),
    ]);
  });

  it('writes nothing in a dry run', async () => {
    const report = await exportAll('--dry-run', '--as', 'html');
    expect(report.summary).toMatchObject({ exported: 2, applied: false });
    await expect(readdir(join(dir, 'out'))).rejects.toThrow('ENOENT');
  });

  it.each([
    ['with its images', '--as', 'md'],
    ['but those that hold nothing for the format', '--as', 'chat', '--no-redact'],
    ['also those without a branch', '--as', 'text', '--all-branches'],
  ])('names in a dry run the files that it would write, %s', async (_, ...args) => {
    const image = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' };
    const message = { role: 'user', content: [image], timestamp: 1 };
    const entry = { type: 'message', id: 'aaaaaaa1', parentId: null, message };
    const [header = {}] = sampleSession({ id: 'c' });
    await writeFiles(dir, { 'in/b.jsonl': [header, entry], 'in/c.jsonl': [header] });
    const preview = await exportAll('--dry-run', ...args);
    const facts = ({ results }: Report) =>
      results.map(({ path, action, outputs }) => ({ path, action, outputs }));
    const written = await exportAll(...args);
    expect(facts(preview)).toEqual(facts(written));
    expect(preview.summary.exported).toBe(args.includes('chat') ? 2 : 3);
    const files = await readdir(join(dir, 'out'), { recursive: true });
    const outputs = written.results.flatMap((one) => one.outputs ?? []);
    expect(outputs.map((path) => path.slice(dir.length + 5)).toSorted()).toEqual(
      files.filter((name) => /\.\w+$/.test(name) && !/^\.|images$/.test(name)).toSorted(),
    );
    const stats = await Promise.all(outputs.map((path) => stat(path)));
    expect(written.summary.bytesWritten).toBe(stats.reduce((sum, { size }) => sum + size, 0));
  });

  it('keeps apart sessions of one id, and never changes a source', async () => {
    const twin = toJsonl(sampleSession({ id: 'a' }));
    await writeFiles(dir, { 'in/twin.jsonl': twin });
    const { results } = await exportAll();
    expect(new Set(results.flatMap(({ outputs }) => outputs ?? [])).size).toBe(3);
    expect(await readFile(join(dir, 'in/twin.jsonl'), 'utf8')).toBe(twin);
  });

  it('goes on after a session that cannot be read', async () => {
    await writeFiles(dir, { 'in/headless.jsonl': toJsonl(sampleSession().slice(1)) });
    const { exitCode, err } = await run('--store', 'in', '--out', 'out');
    expect(exitCode).toBe(3);
    expect(err).toContain('has no header');
    expect((await readdir(join(dir, 'out'))).filter((name) => name.endsWith('.md'))).toHaveLength(
      2,
    );
  });

  it('writes a file for each branch', async () => {
    const [header, question, answer] = sampleSession();
    const other = { ...answer, id: 'bbbbbbb2' };
    await writeFiles(dir, {
      'tree.jsonl': toJsonl([header ?? {}, question ?? {}, answer ?? {}, other]),
    });
    await run('tree.jsonl', '--all-branches', '--out', 'out');
    const names = (await readdir(join(dir, 'out'))).filter((name) => name.endsWith('.md'));
    expect(names).toEqual([
      expect.stringMatching(/_aaaaaaa2\.md$/),
      expect.stringMatching(/_bbbbbbb2\.md$/),
    ]);
  });

  it('takes out secrets, and tells how many but not what', async () => {
    const token = ['ghp_', 'a8Kd93jfLs02mNvbQ1xZ7yTrEwPo56UiHgCd'].join('');
    await writeFiles(dir, {
      'in/a.jsonl': toJsonl(sampleSession({ id: 'a', text: `${token} and Nightjar` })),
      'secrets.txt': 'Nightjar\n',
    });
    const { out } = await run('--store', 'in', '--out', 'out', '--secret-file', 'secrets.txt');
    const name = await findOutput((one) => one.includes('_a_'));
    const text = await readFile(join(dir, 'out', name), 'utf8');
    for (const shown of [out, text]) expect(shown).not.toMatch(/ghp_|Nightjar/);
    expect(text).toContain('[REDACTED:secret-file]');
    expect(out).toMatch(/secrets? taken out/);
  });

  it('reads secrets of a file from Windows, and refuses one that is not UTF-8', async () => {
    const text = 'about Nightjar';
    await writeFiles(dir, {
      'a.jsonl': toJsonl(sampleSession({ text })),
      'secrets.txt': '\ufeff\r\n \t\r\n  Nightjar \t\r\nKestrel\r\n\u00a0\r\n',
      'utf16.txt': Buffer.from('\ufeffNightjar\r\n', 'utf16le'),
    });
    const { out } = await run('a.jsonl', '--redact', '--secret-file', 'secrets.txt');
    expect(out).toContain('about [REDACTED:secret-file]');
    expect(out).not.toContain('Nightjar');
    const refused = await run('a.jsonl', '--redact', '--secret-file', 'utf16.txt');
    expect(refused).toMatchObject({ exitCode: 2, out: '' });
    expect(refused.err).toContain('utf16.txt: is not UTF-8; save it as UTF-8');
  });

  it('takes out the secrets of a file that is named, whatever a configuration says', async () => {
    await writeFiles(dir, {
      'a.jsonl': toJsonl(sampleSession({ text: 'about Nightjar' })),
      'secrets.txt': 'Nightjar\n',
      'own.json': '{"export":{"redact":false}}',
    });
    const { out } = await run('a.jsonl', '--config', 'own.json', '--secret-file', 'secrets.txt');
    expect(out).toContain('about [REDACTED:secret-file]');
    expect(out).not.toContain('Nightjar');
  });

  it('saves images beside the file', async () => {
    const [header, question] = sampleSession();
    const data = 'iVBORw0KGgo=';
    const content = [{ type: 'image', mimeType: 'image/png', data }];
    const asked = { ...question, message: { role: 'user', content } };
    await writeFiles(dir, { 'x.jsonl': toJsonl([header ?? {}, asked]) });
    await run('x.jsonl', '--out', 'out');
    const name = await findOutput((one) => one.endsWith('.md'));
    const text = await readFile(join(dir, 'out', name), 'utf8');
    const [, path = ''] = /!\[image\]\(<([^>]+)>\)/.exec(text) ?? [];
    expect(await readFile(join(dir, 'out', path))).toEqual(Buffer.from(data, 'base64'));
  });
});
