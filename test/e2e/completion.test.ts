import { execFile } from 'node:child_process';
import { chmod, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest, type TestRun } from '../memory-terminal.ts';
import { sampleSession } from '../sample-session.ts';
import { FIXTURES } from '../session/agents/codex/corpus.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { BINARY } from './run-binary.ts';

const STORE = '.pi/agent/sessions/--home-dev-api--';
const LATER = '0199b222-0000-7000-8000-000000000002';
const EARLIER = '0199a111-0000-7000-8000-000000000001';

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
  await writeFiles(home, {
    [`${STORE}/2026-05-04T09-12-31-204Z_${EARLIER}.jsonl`]: sampleSession({ id: EARLIER }),
    [`${STORE}/2026-06-01T00-00-00-000Z_${LATER}.jsonl`]: sampleSession({ id: LATER }),
    'bin/coppice': `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`,
  });
  await chmod(join(home, 'bin/coppice'), 0o755);
});

const runHere = (words: readonly string[], env = {}): Promise<TestRun> =>
  runTest(words, { cwd: home, home, env });

/** What a shell would be offered for the last of these words. */
async function offer(words: readonly string[], shell = '/bin/bash'): Promise<readonly string[]> {
  const env = { HOME: home, SHELL: shell };
  const run = await runHere(['--get-yargs-completions', 'coppice', ...words], env);
  expect(run).toMatchObject({ exitCode: 0, err: '' });
  return run.out.split('\n').filter((line) => line !== '');
}

async function runShell(shell: string, script: string): Promise<string> {
  const env = { PATH: `${home}/bin:${process.env['PATH'] ?? ''}`, HOME: home };
  return new Promise((resolve) => {
    execFile(shell, ['-c', script], { env, cwd: home }, (_error, out) => resolve(out));
  });
}

describe('completion', () => {
  it('offers commands, options and choices', async () => {
    expect(await offer(['v'])).toEqual(['validate']);
    expect(await offer([''])).toEqual(expect.arrayContaining(['list', 'export']));
    expect(await offer(['list', '--sor'])).toEqual(['--sort']);
    expect(await offer(['prune', '--keep-l'])).toEqual(['--keep-last', '--keep-labeled']);
    expect(await offer(['list', '--sort', 'm'])).toEqual(['modified', 'messages']);
  });

  it('offers pages of help, shells, and options by what they are', async () => {
    expect(await offer(['help', 'pr'])).toEqual(['prune']);
    expect(await offer(['completion', 'f'])).toEqual(['fish']);
    expect(await offer(['list', '-j', ''])).toEqual([]);
    expect(await offer(['list', '--sort=si'], '/bin/fish')).toEqual(['--sort=size']);
    expect(await offer(['list', '--sort', '=', 'si'])).toEqual(['size']);
    expect(await offer(['--store', 'x', 'prune', '--keep-y'])).toEqual(['--keep-yearly']);
    expect(await offer(['--store', 'x', 'li'])).toEqual(['list']);
    expect(await offer(['--quiet', 'li'])).toEqual(['list']);
    expect(await offer(['--store', 'li'])).toEqual([]);
    expect(await offer(['export', '--no-re'])).toEqual(['--no-redact']);
    expect(await offer(['list', '--no-c'])).toEqual(['--no-color', '--no-cache', '--no-config']);
    const [described] = await offer(['list', '--reve'], '/usr/bin/fish');
    expect(described).toMatch(/^--reverse\t\w/);
  });

  it('offers parts of lists, and the names and values of pairs', async () => {
    expect(await offer(['list', '--columns', 'session,co'])).toEqual([
      'session,compactions',
      'session,cost',
    ]);
    expect(await offer(['validate', '--rule', 'entry-orp'])).toContain('entry-orphan=error');
    expect(await offer(['validate', '--rule', 'entry-orphan', '=', 'w'])).toEqual(['warning']);
    expect(await offer(['list', '--json', '--fields', 'path,mess'])).toEqual(['path,messageCount']);
    expect(await offer(['list', '--by', 'day', '--fields', 'pr'])).toEqual(['problem']);
    expect(await offer(['list', '--by=project', '--fields', 'pr'])).toEqual(['project', 'problem']);
    expect(await offer(['list', '--json', '--fields', 'us'])).toEqual([]);
    expect(await offer(['list', '--usage', '--json', '--fields', 'us'])).toEqual(['usage']);
  });

  it('offers only what a session can be found by', async () => {
    const renamed = '0199c333-0000-7000-8000-000000000003';
    await writeFiles(home, {
      [`${STORE}/0199c-notes.jsonl`]: sampleSession({ id: renamed }),
      [`${STORE}/0199d.jsonl`]: sampleSession({ id: '0199d' }),
      [`${STORE}/copy/0199d.jsonl`]: sampleSession({ id: '0199d' }),
      [`${STORE}/0199e.jsonl`]: 'no session',
    });
    expect(await offer(['list', '0199'])).toEqual([LATER, EARLIER, renamed]);
  });

  it('offers ids of sessions, the latest first, and says which where the shell shows it', async () => {
    expect(await offer(['fork', ''])).toEqual([LATER, EARLIER]);
    expect(await offer(['list', '0199a'])).toEqual([EARLIER]);
    expect(await offer(['list', '0199a'], '/usr/bin/fish')).toEqual([
      `${EARLIER}\t2026-05-04 --home-dev-api--`,
    ]);
    expect(await offer(['list', '0199b'], '/bin/zsh')).toEqual([
      `${LATER}:2026-06-01 --home-dev-api--`,
    ]);
  });

  it('offers threads of Codex, also archived ones, each once', async () => {
    await cp(join(FIXTURES, 'home'), join(home, '.codex'), { recursive: true });
    const { out } = await runHere(['list', '--agent', 'codex', '--json']);
    const { results } = JSON.parse(out) as { results: readonly { id: string }[] };
    const threads = results.map(({ id }) => id);
    const [first = ''] = threads;
    expect(threads.length).toBeGreaterThan(3);
    expect(await offer(['list', ''])).toEqual(expect.arrayContaining(threads));
    expect(await offer(['list', first.slice(0, -1)])).toEqual([first]);
  });

  it('leaves names of files to the shell, and says nothing without a store', async () => {
    expect(await offer(['export', '--out', ''])).toEqual([]);
    const run = await runTest(['--get-yargs-completions', 'coppice', 'list', '']);
    expect(run).toMatchObject({ exitCode: 0, out: '', err: '' });
  });

  it('works in bash', async () => {
    const complete = (line: string): string =>
      `eval "$(coppice completion bash)"; COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _coppice; printf '%s\\n' "\${COMPREPLY[@]}"`;
    expect(await runShell('bash', complete('coppice val'))).toBe('validate\n');
    expect(await runShell('bash', complete('coppice fork 0199a'))).toBe(`${EARLIER}\n`);
    expect(await runShell('bash', complete('coppice list --rev'))).toBe('--reverse\n');
  });

  it.each(['bash', 'zsh', 'fish'])('has a script for %s', async (shell) => {
    const named = await runHere(['completion', shell]);
    const own = await runHere(['completion'], { SHELL: `/usr/bin/${shell}` });
    expect(named).toEqual(own);
    expect(named.out).toContain(`SHELL=${shell} coppice --get-yargs-completions`);
  });

  it('has one for PowerShell, which is taken where nothing else is told', async () => {
    const { out } = await runHere(['completion', 'powershell']);
    const own = await runHere(['completion'], { PSModulePath: 'C:\\Program Files\\PowerShell' });
    expect(own.out).toBe(out);
    expect(out).toContain('coppice --get-yargs-completions @words');
    const [described] = await offer(['list', '--reve'], 'powershell');
    expect(described).toMatch(/^--reverse\t\w/);
  });

  it('has none for another shell', async () => {
    const run = await runHere(['completion', 'tcsh']);
    expect(run).toMatchObject({ exitCode: 2, out: '' });
    expect(run.err).toBe(
      'coppice: completion tcsh: unknown shell; use one of bash, zsh, fish, powershell\n',
    );
  });

  it('takes one shell', async () => {
    const run = await runHere(['completion', 'bash', 'zsh']);
    expect(run).toMatchObject({ exitCode: 2, out: '' });
    expect(run.err).toBe('coppice: completion bash zsh: name one shell\n');
  });

  it.each(['bash', 'zsh', 'fish'])(
    'runs nothing that the name of a file says, in %s',
    async (shell) => {
      const evil = ['$(touch${IFS}pwned)', '`touch${IFS}pwned`', 'a;touch${IFS}pwned', '*', '-rf'];
      await writeFiles(
        home,
        Object.fromEntries(evil.map((id) => [`${STORE}/${id}.jsonl`, sampleSession({ id })])),
      );
      expect(await offer(['list', ''], `/bin/${shell}`)).toHaveLength(2);
    },
  );

  it('runs nothing in bash, whatever it is offered', async () => {
    await writeFiles(home, {
      'bin/coppice': `#!/bin/sh\necho '$(touch pwned)'; echo '*'; echo ok`,
    });
    const { out: script } = await runHere(['completion', 'bash']);
    const offered = await runShell(
      'bash',
      `${script}\nCOMP_WORDS=(coppice list ''); COMP_CWORD=2; _coppice; printf '%s\\n' "\${COMPREPLY[@]}"; ls`,
    );
    expect(offered).toBe('$(touch pwned)\n*\nok\nbin\n');
  });
});
