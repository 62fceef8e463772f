import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeOld, makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const TORN = toJsonl(sampleSession()).slice(0, -40);
const SAID = 'torn.jsonl.rejected: cannot write: is a directory';

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, { 'torn.jsonl': TORN, 'whole.jsonl': sampleSession() });
  await mkdir(join(dir, 'torn.jsonl.rejected'));
  await makeOld(['torn.jsonl', 'whole.jsonl'].map((name) => join(dir, name)));
});

const fix = (...args: string[]) => runTest(['validate', '.', '--fix', ...args], { cwd: dir });

it('lists the findings of a session whose repair could not be written, and why', async () => {
  const { out, err, exitCode } = await fix();
  expect([exitCode, err]).toEqual([3, '']);
  expect(out).toMatch(
    /\n +- +error +not repaired: \S+torn\.jsonl\.rejected: cannot write: is a dir/,
  );
  expect(out).toMatch(/\n +3 +error .* line-torn +fixable\n/);
  expect(out).toMatch(
    /\n1 problem \(1 error\) in 1 of 2 sessions\. 1 of 2 files could not be repaired\. Nothing was repaired\.\n$/,
  );
  expect(await readFile(join(dir, 'torn.jsonl'), 'utf8')).toBe(TORN);
});

it('has both in JSON', async () => {
  const { out, exitCode } = await fix('--json');
  const path = join(dir, 'torn.jsonl');
  const message = `not repaired: ${join(dir, SAID)}`;
  const failure = { path, problem: { code: 'EISDIR', message } };
  expect(exitCode).toBe(3);
  expect(JSON.parse(out)).toMatchObject({
    results: [failure, { path, line: 3, rule: 'line-torn', fixable: true }],
    summary: { sessions: 2, errors: 1, fixed: 0, unreadable: [], unrepaired: [failure] },
  });
});

it.each([
  [
    'github',
    /^::error file=torn\.jsonl,title=EISDIR::not repaired: .+\n::error .+,title=line-torn/,
  ],
  ['gitlab', /"check_name":"EISDIR".+"severity":"critical"[^]+"check_name":"line-torn"/],
  ['junit', /failures="0" errors="1"[^]+<error message="not repaired: [^]+<failure .+line-torn/],
  ['sarif', /"executionSuccessful":false.+not repaired: [^]+"ruleId":"line-torn"/],
])('has both for %s', async (format, expected) => {
  const { out, exitCode } = await fix('--format', format);
  expect([exitCode, out]).toEqual([3, expect.stringMatching(expected)]);
});
