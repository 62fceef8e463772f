import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { runTest } from '../../memory-terminal.ts';

describe('options that would have no effect', () => {
  it.each([
    ['list --by model --sort size', '--sort size: cannot be combined with --by'],
    ['list --by model --columns cost', '--columns cost: cannot be combined with --by'],
    ['list --by day --lineage', '--lineage: cannot be combined with --by'],
    ['list x --entries --paths', '--paths: cannot be combined with --entries'],
    ['list x --entries --sort size', '--sort size: cannot be combined with --entries'],
    ['list x --entries --usage', '--usage: cannot be combined with --entries'],
    ['list x --info --entries', '--info: cannot be combined with --entries'],
    ['list x --info --limit 2', '--info: cannot be combined with --limit'],
    ['list x --info --usage', '--usage: cannot be combined with --info'],
    ['list --paths --json', '--paths: cannot be combined with --json'],
    ['list --paths --format ndjson', '--paths: cannot be combined with --format ndjson'],
    ['list --json --format ndjson', '--json: cannot be combined with --format ndjson'],
    ['list --json --format table', '--json: cannot be combined with --format table'],
    ['list --format table --paths --json', '--json: cannot be combined with --format table'],
    ['list --by model --sort modified', '--sort modified: cannot be combined with --by'],
    ['list --filter default', '--filter default: needs --entries'],
    ['list --filter all', '--filter all: needs --entries'],
    ['validate --fix --fix-dry-run', '--fix-dry-run: cannot be combined with --fix'],
    ['validate --grace 1h', '--grace 1h: needs --fix or --fix-dry-run'],
    ['validate --json --format sarif', '--json: cannot be combined with --format sarif'],
    ['validate --json --format auto', '--json: cannot be combined with --format auto'],
    ['validate --list-rules --last 3', '--list-rules: cannot be combined with --last'],
    ['migrate --json --format table', '--json: cannot be combined with --format table'],
    ['migrate --check --apply', '--check: cannot be combined with --apply'],
    ['migrate --out o --backup .v1', '--out o: cannot be combined with --backup'],
    ['migrate --to pi --cwd a=b', '--to pi: cannot be combined with --cwd'],
    ['fork x --at a --before b', '--at a: cannot be combined with --before'],
    ['fork x --points --name n', '--points: cannot be combined with --name'],
    ['fork x --summarize', '--summarize: needs --at or --before'],
    ['fork x --at a --summarizer command', '--summarizer command: needs --summarize'],
    ['fork x --at a --summarizer extractive', '--summarizer extractive: needs --summarize'],
    ['fork x --apply', '--apply: needs --in-place'],
    ['fork x --name n --in-place --out o', '--in-place: cannot be combined with --out'],
    ['compact --images drop --force', '--force: cannot be combined with --images'],
    ['compact --show-summaries --json', '--show-summaries: cannot be combined with --json'],
    ['compact --base-url http://x', '--base-url http://x: needs --summarizer openai'],
    ['export x --as parquet --no-tools', '--no-tools: cannot be combined with --as parquet'],
    ['export x --as html --full-history', '--full-history: cannot be combined with --as html'],
    ['export x --as jsonl --full-history', '--full-history: cannot be combined with --as jsonl'],
    [
      'export x --as context --full-history',
      '--full-history: cannot be combined with --as context',
    ],
    ['export x --as jsonl --harness', '--harness: cannot be combined with --as jsonl'],
    ['export x --as context --harness', '--harness: cannot be combined with --as context'],
    [
      'export x --no-redact --secret-file f',
      '--secret-file f: cannot be combined with --no-redact',
    ],
  ])('are refused: %s', async (line, message) => {
    const { exitCode, out, err } = await runTest(line.split(' '));
    expect({ exitCode, out, err }).toEqual({ exitCode: 2, out: '', err: `coppice: ${message}\n` });
  });

  it.each([
    ['a flag that is off', 'list --by model --usage=false'],
    ['the same format twice', 'list --json --format json'],
  ])('do not refuse %s: %s', async (_, line) => {
    const { exitCode } = await runTest([...line.split(' '), '--print-config']);
    expect(exitCode).toBe(0);
  });

  it('are named by options that there are', async () => {
    for (const { load } of commands) {
      const { name, options } = await load();
      const named = Object.values(options).flatMap(({ excludes = [], needs = [] }) => {
        return [...excludes, ...needs];
      });
      for (const text of named) {
        const [option = '', value] = text.split('=', 2);
        const spec = options[option];
        expect([name, text, spec !== undefined]).toEqual([name, text, true]);
        const flags = spec?.type === 'boolean' ? ['true', 'false'] : [];
        const streams = spec?.isPath ? ['-'] : [];
        const values = [...flags, ...streams, ...(spec?.choices?.map(String) ?? []), undefined];
        expect([name, text, values]).toEqual([name, text, expect.arrayContaining([value])]);
      }
    }
  });
});
