import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
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
  of('validate', ['validate', 'sessions', 'damaged', 'recorded', 'no-session.jsonl']),
  of('validate', ['validate', 'damaged', 'neovate', '--fix-dry-run']),
  of('validate-rules', ['validate', '--list-rules']),
  of('migrate', ['migrate', 'sessions', 'recorded', 'no-session.jsonl']),
  of('migrate', ['migrate', 'recorded', '--apply', '--backup', '.old']),
  of('migrate', ['migrate', ...BASE, '--cwd', '/home/dev/src=/home/dev/work', '--apply']),
  of('migrate', ['migrate', 'neovate', '--to', 'pi', '--out', 'as-pi', '--apply']),
  of('fork', ['fork', 'sessions', 'no-session.jsonl', '--out', 'forks']),
  of('fork', ['fork', '019df25e', ...BASE, '--before', 'PROMPT', '--summarize', '--dry-run']),
  of('fork-points', ['fork', 'sessions', 'no-session.jsonl', '--points']),
  of('compact', ['compact', 'sessions', 'recorded', '--force', '--keep-recent-tokens', '10']),
  of('compact', ['compact', ...BASE]),
  of('compact-storage', ['compact', 'recorded', '--images', 'extract', '--summarized', '--apply']),
  of('compact-storage', ['compact', 'recorded', '--images', 'restore']),
  of('compact-storage', ['compact', 'sessions', 'no-session.jsonl', '--tool-output', '1kB']),
  of('prune', ['prune', 'sessions', 'damaged', ...BASE, '--keep-last', '1']),
  of('prune', [...PRUNE, '--apply']),
  after('prune', [...ARCHIVE, '--restore', 'all'], [...PRUNE, '--apply']),
  after('prune-list', [...ARCHIVE, '--list'], [...PRUNE, '--apply']),
  of('export', ['export', 'sessions', 'no-session.jsonl', '--as', 'html', '--out', 'site']),
  of('export', ['export', 'recorded', '--as', 'jsonl', '--redact', '--out', 'share']),
  of('export', ['export', ...BASE, '--as', 'parquet', '--out', 'lake']),
];

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await cp(join(ROOT, 'samples'), dir, { recursive: true });
  await cp(join(ROOT, 'test/fixtures/recorded'), join(dir, 'recorded'), { recursive: true });
  await cp(join(ROOT, 'test/fixtures/neovate'), join(dir, 'neovate'), { recursive: true });
  await writeFiles(dir, { 'no-session.jsonl': '{"a":1}\n', 'empty.jsonl': '' });
});

const run = (argv: readonly string[]) => runTest(argv, { cwd: dir });

async function findUserMessage(): Promise<string> {
  const { out } = await run(['fork', '019df25e', ...BASE, '--points', '--json']);
  const [first] = JSON.parse(out).results;
  return first.id;
}

async function runVariant(
  argv: readonly string[],
  before: readonly string[],
  format: string,
): Promise<string> {
  if (before.length > 0) await run(before);
  const prompt = argv.includes('PROMPT') ? await findUserMessage() : '';
  const words = argv.map((word) => (word === 'PROMPT' ? prompt : word));
  return (await run([...words, '--format', format])).out;
}

describe('the schema of', () => {
  it.each(OUTPUTS)('%s fits the document of: %j', async (name, argv, before) => {
    const validate = compile(close(readSchema(`output/${name}`)));
    const document = JSON.parse(await runVariant(argv, before, 'json'));
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
    expect(document.results).not.toEqual([]);
  });

  it.each(OUTPUTS)('a line of %s fits every line of: %j', async (name, argv, before) => {
    const validate = compile(close(readSchema(`output/${name}.line`)));
    const lines = (await runVariant(argv, before, 'ndjson')).trimEnd().split('\n');
    for (const line of lines) {
      validate(JSON.parse(line));
      expect({ line, errors: validate.errors ?? [] }).toEqual({ line, errors: [] });
    }
  });

  it('a plan fits every line of it', async () => {
    const validate = compile(close(readSchema('output/prune-plan.line')));
    await run(['prune', ...BASE, '--keep-last', '1', '--plan-out', 'plan.ndjson']);
    const lines = (await readFile(join(dir, 'plan.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      validate(JSON.parse(line));
      expect({ line, errors: validate.errors ?? [] }).toEqual({ line, errors: [] });
    }
  });

  it('a document refuses what lacks a field, or has one of another type', () => {
    const validate = compile(readSchema('output/validate'));
    const summary = { sessions: 1, sessionsWithFindings: 0, errors: 0, warnings: 0, infos: 0 };
    const whole = { ...summary, fixable: 0, fixed: 0, unreadable: [] };
    const document = { schemaVersion: 1, command: 'validate', results: [], summary: whole };
    expect(validate(document)).toBe(true);
    expect(validate({ ...document, summary })).toBe(false);
    expect(validate({ ...document, results: [{ path: 3 }] })).toBe(false);
    expect(validate({ ...document, command: 'list' })).toBe(false);
    expect(compile(close(readSchema('output/validate')))({ ...document, more: 1 })).toBe(false);
  });
});
