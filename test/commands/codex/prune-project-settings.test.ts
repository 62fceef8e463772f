import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { copyHome } from '../../session/agents/codex/corpus.ts';

const PARENT = '01a1fffd-5184-7b42-a112-6bc9ed3ff874';

it('keeps a thread of a project that has the databases elsewhere', async () => {
  const { world, home } = await copyHome();
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
  const path = join(home, names.find((name) => name.endsWith(`${PARENT}.jsonl`)) ?? '');
  const cwd = JSON.stringify(join(world, 'api/lib'));
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replaceAll(/"cwd":"[^"]{0,200}"/g, () => `"cwd":${cwd}`),
  );
  const settings = join(world, 'api/.codex');
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, 'config.toml'), 'sqlite_home = "/db"\n');
  const decide = async (): Promise<string | undefined> => {
    const args = ['prune', '--larger-than', '1B', '--grace', '0min', '--allow-empty', '--json'];
    const { out } = await runTest(args, { home: world, cwd: world });
    const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
    const own = results.find(({ id }) => id === PARENT);
    return own && [own.action, ...own.reasons].join(': ');
  };
  expect(await decide()).toContain('keep: the databases of its agent are elsewhere');
  rmSync(settings, { recursive: true });
  expect(await decide()).toContain('remove');
});
