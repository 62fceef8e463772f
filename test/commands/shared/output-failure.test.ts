import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest, type TestRun } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const REASON = 'no space left on the device';
const LINE = `coppice: standard output: ${REASON}\n`;

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
  await writeFiles(home, {
    's/a.jsonl': sampleSession({ id: 'one' }),
    's/b.jsonl': sampleSession({ id: 'two' }),
    's/marked.jsonl': `\ufeff${toJsonl(sampleSession({ id: 'three' }))}`,
  });
});

function run(...args: readonly string[]): Promise<TestRun> {
  return runTest([...args, '--store', 's'], { cwd: home, home, outputFailure: REASON });
}

describe('where standard output cannot be written', () => {
  it.each([
    [['list']],
    [['list', '--json']],
    [['list', '--by', 'model']],
    [['validate']],
    [['migrate']],
    [['prune', '--older-than', '1d']],
    [['compact', '--force']],
    [['export', 'one']],
    [['fork', 'one', '--dry-run', '--quiet']],
    [['list', '--print-config']],
  ])('a run that changes nothing is one line and exit 2: %j', async (args) => {
    expect(await run(...args)).toEqual({ exitCode: 2, out: '', err: LINE });
  });

  it('prune says on stderr what it removed, and exits 3', async () => {
    const args = ['prune', '--older-than', '1d', '--apply', '--delete', '--allow-empty'];
    const { exitCode, err } = await run(...args);
    expect(exitCode).toBe(3);
    expect(err).toContain('remove ~/s/a.jsonl: older than 1d\n');
    expect(err.endsWith(LINE)).toBe(true);
    await expect(access(join(home, 's/a.jsonl'))).rejects.toThrow('ENOENT');
  });

  it.each([
    [['fork', 'one'], 'fork ~/s/'],
    [['export', '--out', 'o'], 'export ~/s/a.jsonl: '],
    [['validate', '--fix'], 'repair ~/s/marked.jsonl\n'],
  ])('%j says on stderr what it wrote, and exits 3', async (args, account) => {
    const { exitCode, err } = await run(...args);
    expect(err).toContain(account);
    expect(exitCode).toBe(3);
    expect(err.endsWith(LINE)).toBe(true);
  });
});
