import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { readResultFields } from '../../../src/cli/result-fields.ts';
import { runTest, type TestRun } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, {
    'store/a.jsonl': sampleSession({ id: 'session-a' }),
    'store/broken.jsonl': `${toJsonl(sampleSession({ id: 'session-b' }))}{"type":\n`,
  });
});

const run = (...argv: readonly string[]): Promise<TestRun> =>
  runTest([...argv, ...(argv.includes('--list-rules') ? [] : ['--store', 'store'])], { cwd: dir });

describe('--fields', () => {
  it('prints the fields in the order in which they were asked for', async () => {
    const { out } = await run('list', '--format', 'ndjson', '--sort', 'name', '--fields=id,path');
    expect(out.trimEnd().split('\n').toSorted()).toEqual([
      `{"id":"session-a","path":"${dir}/store/a.jsonl"}`,
      `{"id":"session-b","path":"${dir}/store/broken.jsonl"}`,
    ]);
  });

  it('keeps the envelope of a document', async () => {
    const { out } = await run('list', '--json', '--fields', 'id');
    expect(JSON.parse(out)).toMatchObject({
      schemaVersion: 1,
      command: 'list',
      results: [{ id: expect.any(String) }, {}],
      summary: { sessions: 2 },
    });
  });

  it('leaves a file that could not be used whole, as it has none of the fields of others', async () => {
    await writeFiles(dir, { 'notes.jsonl': 'words\n' });
    const argv = ['store', 'notes.jsonl', '--json', '--fields'];
    for (const words of [
      ['list', ...argv, 'id'],
      ['compact', ...argv, 'action,path'],
    ]) {
      const { out } = await runTest(words, { cwd: dir });
      const { results } = JSON.parse(out) as { results: object[] };
      expect(results.at(-1)).toEqual({
        path: join(dir, 'notes.jsonl'),
        problem: { code: 'not-a-session', message: 'is not a session file of a known agent' },
      });
    }
  });

  it.each([
    [['validate'], 'rule, line', ['rule', 'line']],
    [['validate', '--list-rules'], 'level,id', ['level', 'id']],
    [['list', '--by', 'agent'], 'sessions,agent', ['sessions', 'agent']],
    [['list', '--sort', 'cost'], 'usage,id', ['usage', 'id']],
    [['list', '--lineage'], 'depth', ['depth']],
    [['prune', '--keep-last', '1'], 'reasons,action', ['reasons', 'action']],
  ])('is for %j too', async (argv, fields, keys) => {
    const { out, err } = await run(...argv, '--json', '--fields', fields);
    expect(err).toBe('');
    const { results }: { results: object[] } = JSON.parse(out);
    expect(results.map((result) => Object.keys(result))[0]).toEqual(keys);
  });

  it.each([
    [
      ['list', '--json', '--fields', 'nmae'],
      "--fields nmae: unknown field 'nmae'; did you mean name?",
    ],
    [['list', '--by', 'day', '--json', '--fields', 'cwd'], "unknown field 'cwd'; "],
    [['list', '--by', 'day', '--json', '--fields', 'path'], "unknown field 'path'; "],
    [
      ['list', '--by', 'agent', '--json', '--fields', 'model'],
      "--fields model: 'model' needs --by model; otherwise, use some of agent, sessions, ",
    ],
    [
      ['list', '--json', '--fields', 'path,usage'],
      "--fields path,usage: 'usage' needs --usage or --sort cost; otherwise, use some of path, ",
    ],
    [['list', '--json', '--usage', '--fields', 'depth'], "'depth' needs --lineage; "],
    [['fork', '--last', '1', '--json', '--fields', 'text'], "'text' needs --before; "],
    [['fork', '--last', '1', '--json', '--fields', 'left'], "'left' needs --summarize or --hook; "],
    [['list', '--json', '--fields', 'id,'], "unknown field ''; use some of path, "],
    [['list', '--fields', 'id'], '--fields id: needs --json or --format json or --format ndjson'],
    [['validate', '--format', 'sarif', '--fields', 'rule'], '--fields rule: needs --json or'],
    [['prune', '--keep-last', '1', '--apply', '--json', '--fields', 'x'], "unknown field 'x'"],
  ])('%j is refused before anything is done', async (argv, message) => {
    const { exitCode, out, err } = await run(...argv);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(message);
  });

  it('is known for every command', async () => {
    for (const { load } of commands) {
      expect(readResultFields(await load(), {}).names).not.toEqual([]);
    }
  });
});

describe('values that are names', () => {
  it.each([
    [['list', '--columns', 'active,sesion'], "unknown column 'sesion'; did you mean session?"],
    [['list', '--columns', 'zzz'], "unknown column 'zzz'; use some of active, "],
    [
      ['validate', '--rule', 'entry-orphn=error'],
      "unknown rule 'entry-orphn'; did you mean entry-orphan?",
    ],
    [['validate', '--rule', 'zzz=error'], "unknown rule 'zzz'; see --list-rules"],
    [['validate', '--rule', 'entry-orphan=bad'], 'expected entry-orphan=off|info|warning|error'],
    [['validate', '--rule', 'entry-orphan'], 'expected entry-orphan=off|info|warning|error'],
  ])('%j is refused with a suggestion', async (argv, message) => {
    const { exitCode, err } = await run(...argv);
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
  });
});
