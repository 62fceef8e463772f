import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

describe('a sub-agent beside its session that another session has resumed', () => {
  const [own, other] = ['aaaaaaaa', 'bbbbbbbb'].map((one) => `${one}-0000-4000-8000-000000000001`);
  const AGENT = 'agent-0123abcd.jsonl';
  const toLine = (sessionId: string | undefined, uuid: string, isSidechain = false): string => {
    const message = { role: 'user', content: uuid };
    const month = sessionId === own ? '01' : '02';
    const timestamp = `2026-${month}-0${isSidechain ? 1 : 3}T10:00:00.000Z`;
    const place = { sessionId, cwd: '/w', isSidechain, parentUuid: null, uuid };
    return `${JSON.stringify({ type: 'user', ...place, timestamp, message })}\n`;
  };
  let home: string;
  let project: string;

  const backUp = async (): Promise<void> => {
    const argv = ['export', '--as', 'archive', '--no-redact', '--out', 'ar', '--quiet'];
    expect((await runTest(argv, { cwd: home, home })).exitCode).toBe(0);
  };
  const decide = async (...rules: readonly string[]): Promise<readonly string[]> => {
    const argv = ['prune', '--in-archive', 'ar', ...rules, '--json'];
    const { out } = await runTest(argv, { cwd: home, home });
    const { results } = JSON.parse(out) as { results: readonly PruneResult[] };
    const states = results.filter(({ id }) => id === own);
    return states.flatMap(({ action, reasons }) => `${action}: ${reasons.join()}`).toSorted();
  };

  beforeEach(async () => {
    home = await makeTempDir();
    project = join(home, '.claude/projects/-w');
    await writeFiles(project, {
      [`${own}.jsonl`]: toLine(own, 'one'),
      [`${other}.jsonl`]: toLine(other, 'two'),
      [AGENT]: toLine(own, 'work', true),
    });
  });

  it.each([
    [
      'keeps the session of a sub-agent with lines of a kept one',
      'keep: a kept session refers to its files',
      true,
    ],
    ['removes the session of one without', 'remove: no rule keeps it', false],
  ])('%s', async (_, decision, isShared) => {
    if (isShared) await appendFile(join(project, AGENT), toLine(other, 'more', true));
    await backUp();
    expect(await decide('--keep-last', '1')).toEqual([decision]);
  });

  it('keeps the state that alone has lines of a kept session', async () => {
    await appendFile(join(project, AGENT), toLine(other, 'more', true));
    await backUp();
    await rm(join(project, AGENT));
    await appendFile(join(project, `${own}.jsonl`), toLine(own, 'three'));
    await backUp();
    const states = ['keep: a kept session refers to its files', 'keep: last state'];
    expect(await decide('--keep-states', '1')).toEqual(states);
  });
});
