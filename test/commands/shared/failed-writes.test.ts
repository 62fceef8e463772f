import { createHash } from 'node:crypto';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { asOrdinaryUser, shareNewFiles } from '../../ordinary-user.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeOld, makeTempDir, writeFiles } from '../../temp-dir.ts';

shareNewFiles();

const BYTES = Buffer.alloc(900, 1);
const IMAGE = { type: 'image', data: BYTES.toString('base64'), mimeType: 'image/png' };
const PNG = `${createHash('sha256').update(BYTES).digest('hex')}.png`;
const OLD = [
  { type: 'session', id: 'old', timestamp: '2025-01-01T00:00:00.000Z', cwd: '/p' },
  {
    type: 'message',
    timestamp: '2025-01-01T00:00:01.000Z',
    message: { role: 'user', content: 'hi', timestamp: 1 },
  },
];

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await chmod(dir, 0o755);
  const [header = {}, message = {}] = sampleSession({ id: 'image' });
  const content = [{ type: 'text', text: 'look' }, IMAGE];
  await writeFiles(dir, {
    's/a.jsonl': sampleSession({ id: 'session-a' }),
    's/b.jsonl': sampleSession({ id: 'session-b' }),
    'i/1.jsonl': [header, { ...message, message: { role: 'user', content, timestamp: 1 } }],
    'o/p/1.jsonl': OLD,
    'arrays/1.json': JSON.stringify(OLD.slice(0, 1)),
  });
  await makeOld(['i/1.jsonl', 'o/p/1.jsonl', 'arrays/1.json'].map((name) => join(dir, name)));
  await mkdir(join(dir, 'closed'), { mode: 0o555 });
});

interface Row {
  readonly path: string;
  readonly problem?: { readonly message: string };
  readonly reasons?: readonly string[];
}

/** Each session that failed, with the reason; paths are relative to the directory. */
async function fail(...argv: string[]): Promise<readonly (readonly [string, string])[]> {
  const { out, err, exitCode } = await asOrdinaryUser(() =>
    runTest([...argv, '--json'], { cwd: dir, home: dir }),
  );
  if (exitCode !== 3) throw new Error(`exit ${exitCode}: ${err}`);
  const { results } = JSON.parse(out.replaceAll(`${dir}/`, '')) as { results: readonly Row[] };
  return results.map(({ path, problem, reasons = [] }) => [
    path,
    problem?.message ?? reasons.join(),
  ]);
}

it('fork names the session that could not be forked, and the file that could not be made', async () => {
  const file = /^closed\/\S+\.jsonl: cannot create: permission denied$/;
  expect(await fail('fork', 's', '--whole', '--out', 'closed')).toEqual([
    ['s/a.jsonl', expect.stringMatching(file)],
    ['s/b.jsonl', expect.stringMatching(file)],
  ]);
});

it('export names the session that could not be exported, and the file that could not be made', async () => {
  const file = /^closed\/\S+session-[ab]\S+\.md: cannot write: permission denied$/;
  expect(await fail('export', 's', '--as', 'md', '--out', 'closed')).toEqual([
    ['s/a.jsonl', expect.stringMatching(file)],
    ['s/b.jsonl', expect.stringMatching(file)],
  ]);
});

it('migrate --out names the directory in the way of a copy', async () => {
  await mkdir(join(dir, 'out/p/1.jsonl'), { recursive: true });
  const expected = [['o/p/1.jsonl', 'out/p/1.jsonl: cannot read: is a directory']];
  expect(await fail('migrate', '--store', 'o', '--out', 'out')).toEqual(expected);
});

it('migrate --out names the session that would be written through a link, and the link', async () => {
  await mkdir(join(dir, 'out'));
  await symlink('../closed', join(dir, 'out/p'));
  const expected = [['o/p/1.jsonl', 'out/p: a symbolic link is at this path']];
  expect(await fail('migrate', '--store', 'o', '--out', 'out')).toEqual(expected);
});

it('migrate names the directory in the way of a new session file', async () => {
  await mkdir(join(dir, 'arrays/1.jsonl'));
  const expected = [['arrays/1.json', 'arrays/1.jsonl: cannot read: is a directory']];
  expect(await fail('migrate', '--store', 'arrays')).toEqual(expected);
});

it('compact names the directory in the way of an image', async () => {
  await mkdir(join(dir, 'i/1', PNG), { recursive: true });
  for (const name of ['i', 'i/1']) await chmod(join(dir, name), 0o777);
  await chmod(join(dir, 'i/1.jsonl'), 0o666);
  const expected = [['i/1.jsonl', `i/1/${PNG}: cannot read: is a directory`]];
  expect(await fail('compact', 'i', '--images', 'extract', '--apply')).toEqual(expected);
});
