import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { sized, takeSome } from '../harness/runs.ts';
import { runTest } from '../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { close, compile, readSchema } from './schema.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BASE = ['--store', 'sessions'];
const ARCHIVE = ['prune', ...BASE, '--archive', 'old'];
const PRUNE = [...ARCHIVE, '--older-than', '200d', '--allow-empty', '--grace', '1d'];

type Variant = readonly [schema: string, argv: readonly string[], before: readonly string[]];

const after = (schema: string, argv: readonly string[], before: readonly string[]): Variant => [
  schema,
  argv,
  before,
];
const of = (schema: string, argv: readonly string[]): Variant => after(schema, argv, []);

/** The schema, a command line that prints what it describes, and one that comes before it. */
const OUTPUTS: readonly Variant[] = [
  of('list', ['list', ...BASE]),
  of('list', ['list', 'sessions', 'damaged', 'no-session.jsonl', 'empty.jsonl', 'recorded']),
  of('list', ['list', '--usage', 'sessions', 'recorded']),
  of('list', ['list', '--usage', '--lineage', 'neovate']),
  of('list', ['list', '--lineage', ...BASE]),
  of('list-by', ['list', '--by', 'project', 'sessions', 'no-session.jsonl']),
  of('list-by', ['list', '--by', 'model', ...BASE]),
  of('list-by', ['list', '--by', 'day', ...BASE]),
  of('list-by', ['list', '--by', 'agent', ...BASE]),
  of('list-entries', ['list', 'recorded/0.87.1-every-message.jsonl', '--entries']),
  of('list-entries', ['list', 'damaged/cut-off.jsonl', '--entries', '--filter', 'all']),
  of('list-info', ['list', 'recorded/0.87.1-every-message.jsonl', '--info']),
  of('list-info', ['list', 'neovate/image-attachment.jsonl', '--info']),
  of('validate', ['validate', 'sessions', 'damaged', 'recorded', 'no-session.jsonl']),
  of('validate', ['validate', 'damaged', 'neovate', '--fix-dry-run']),
  of('print-config', ['list', '--usage', '--print-config']),
  of('print-config', ['prune', '--keep-last', '3', '--print-config']),
  of('validate-rules', ['validate', '--list-rules']),
  of('migrate', ['migrate', 'sessions', 'recorded', 'no-session.jsonl']),
  of('migrate', ['migrate', 'recorded', '--apply', '--backup', '.old']),
  of('migrate', ['migrate', ...BASE, '--cwd', '/home/dev/src=/home/dev/work', '--apply']),
  of('migrate', ['migrate', 'neovate', '--to', 'pi', '--out', 'as-pi', '--apply']),
  of('fork', ['fork', 'sessions', 'no-session.jsonl', '--out', 'forks']),
  of('fork', ['fork', '019df25e', ...BASE, '--before', 'PROMPT', '--summarize', '--dry-run']),
  of('fork-in-place', [
    'fork',
    '019df25e',
    ...BASE,
    '--in-place',
    '--before',
    'PROMPT',
    '--summarize',
  ]),
  of('fork-in-place', ['fork', ...BASE, '--in-place', '--last', '3', '--name', 'x', '--apply']),
  of('fork-points', ['fork', 'sessions', 'no-session.jsonl', '--points']),
  of('compact', ['compact', 'sessions', 'recorded', '--force', '--keep-recent-tokens', '10']),
  of('compact', ['compact', ...BASE]),
  of('compact-storage', ['compact', 'recorded', '--images', 'extract', '--summarized', '--apply']),
  of('compact-storage', ['compact', 'recorded', '--images', 'restore']),
  of('compact-storage', ['compact', 'sessions', 'no-session.jsonl', '--tool-output', '1kB']),
  of('prune', ['prune', 'sessions', 'damaged', ...BASE, '--keep-last', '1']),
  of('prune', [...PRUNE, '--apply']),
  after('prune', [...ARCHIVE, '--restore', 'all'], [...PRUNE, '--apply']),
  after('prune-list', ['prune', '--archive', 'old', '--list'], [...PRUNE, '--apply']),
  after('prune-check', ['prune', '--archive', 'old', '--check'], [...PRUNE, '--apply']),
  of('export', ['export', 'sessions', '--as', 'archive', '--out', 'backup']),
  of('export', ['export', 'sessions', 'no-session.jsonl', '--as', 'html', '--out', 'site']),
  of('export', ['export', 'recorded', '--as', 'jsonl', '--redact', '--out', 'share']),
  of('export', ['export', ...BASE, '--as', 'parquet', '--out', 'lake']),
];

/** The first of each schema: lines and documents hold the same results. */
const ONE_OF_EACH = OUTPUTS.filter(
  ([schema], index) => OUTPUTS.findIndex(([other]) => other === schema) === index,
);

const WRITES = /^--(?:apply|out|plan-out)$/;

let shared: string;

/** Every file of a directory, with its path below this prefix. */
function readFiles(directory: string, prefix: string): readonly (readonly [string, Buffer])[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .map((path) => [join(prefix, relative(directory, path)), readFileSync(path)]);
}

/** Those that command lines above name, and some of the others. */
function takeFixtures(name: string): readonly (readonly [string, Buffer])[] {
  const named = new Set(OUTPUTS.flatMap(([, argv]) => argv));
  const all = readFiles(join(ROOT, 'test/fixtures', name), name);
  const some = new Set(takeSome(all, 8));
  return all.filter((file) => named.has(file[0]) || some.has(file));
}

const FILES = Object.fromEntries([
  ...readFiles(join(ROOT, 'samples'), ''),
  ...takeFixtures('recorded'),
  ...takeFixtures('neovate'),
  ['no-session.jsonl', Buffer.from('{"a":1}\n')],
  ['empty.jsonl', Buffer.from('')],
]);

async function makeFiles(dir: string): Promise<string> {
  await writeFiles(dir, FILES);
  return dir;
}

beforeAll(async () => {
  shared = await makeFiles(await mkdtemp(join(tmpdir(), 'coppice-schemas-')));
});

/** Runs lines in one directory: in one of their own if they write. */
async function openWorld(...lines: readonly (readonly string[])[]) {
  const isWriter = lines.flat().some((word) => WRITES.test(word));
  const dir = isWriter ? await makeFiles(await makeTempDir()) : shared;
  return { dir, run: (argv: readonly string[]) => runTest(argv, { cwd: dir }) };
}

const compiled = new Map<string, ValidateFunction>();

/** A schema that allows nothing it does not name; compiling one takes longer than using it. */
function compileClosed(name: string): ValidateFunction {
  const validate = compiled.get(name) ?? compile(close(readSchema(name)));
  compiled.set(name, validate);
  return validate;
}

async function findUserMessage({ run }: Awaited<ReturnType<typeof openWorld>>): Promise<string> {
  const { out } = await run(['fork', '019df25e', ...BASE, '--points', '--json']);
  const [first] = JSON.parse(out).results;
  return first.id;
}

async function runVariant(
  argv: readonly string[],
  before: readonly string[],
  format: string,
): Promise<string> {
  const world = await openWorld(before, argv);
  if (before.length > 0) await world.run(before);
  const prompt = argv.includes('PROMPT') ? await findUserMessage(world) : '';
  const words = argv.map((word) => (word === 'PROMPT' ? prompt : word));
  return (await world.run([...words, '--format', format])).out;
}

describe('the schema of', () => {
  it.each(OUTPUTS)('%s fits the document of: %j', async (name, argv, before) => {
    const validate = compileClosed(`output/${name}`);
    const document = JSON.parse(await runVariant(argv, before, 'json'));
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    expect(document.results).not.toEqual([]);
  });

  it.each(sized(ONE_OF_EACH, OUTPUTS))(
    'a line of %s fits every line of: %j',
    async (name, argv, before) => {
      const validate = compileClosed(`output/${name}.line`);
      const lines = (await runVariant(argv, before, 'ndjson')).trimEnd().split('\n');
      for (const line of lines) {
        validate(JSON.parse(line));
        expect({ line, errors: validate.errors ?? [] }).toEqual({ line, errors: [] });
      }
    },
  );

  it('a plan fits every line of it', async () => {
    const validate = compileClosed('output/prune-plan.line');
    const line = ['prune', ...BASE, '--keep-last', '1', '--plan-out', 'plan.ndjson'];
    const { dir, run } = await openWorld(line);
    await run(line);
    const lines = (await readFile(join(dir, 'plan.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const one of lines) {
      validate(JSON.parse(one));
      expect({ one, errors: validate.errors ?? [] }).toEqual({ one, errors: [] });
    }
  });

  it('a document refuses what lacks a field, or has one of another type', () => {
    const validate = compile(readSchema('output/validate'));
    const summary = { sessions: 1, sessionsWithFindings: 0, errors: 0, warnings: 0, infos: 0 };
    const whole = { ...summary, fixable: 0, fixed: 0, unreadable: [], unrepaired: [] };
    const document = { schemaVersion: 1, command: 'validate', results: [], summary: whole };
    expect(validate(document)).toBe(true);
    expect(validate({ ...document, summary })).toBe(false);
    expect(validate({ ...document, results: [{ path: 3 }] })).toBe(false);
    expect(validate({ ...document, command: 'list' })).toBe(false);
    expect(compile(close(readSchema('output/validate')))({ ...document, more: 1 })).toBe(false);
  });
});
