import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/commands/command.ts';
import { toProjectDirectoryName } from '../../../src/session/agents/pi/places/session-place.ts';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const [A, B, C] = ['a', 'b', 'c'].map((one) => `${one.repeat(8)}-1111-4111-8111-111111111111`);
const PI = '.pi/agent/sessions/--x--';
const CLAUDE = '.claude/projects/-w';
const GONE = 'its working directory is gone';

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
});

const pi = (cwd: string): object[] => sampleSession({ cwd, start: '2026-01-03T10:00:00.000Z' });

const claude = (sessionId: string | undefined, cwd: string): object[] => [
  {
    type: 'user',
    uuid: sessionId,
    parentUuid: null,
    isSidechain: false,
    cwd,
    sessionId,
    timestamp: '2026-01-03T10:00:00.000Z',
    message: { role: 'user', content: 'prompt' },
  },
];

/** The actions of `--missing-cwd` by the beginning of each id. */
function pruneMissing(
  args: readonly string[] = [],
  env: Context['env'] = {},
): Promise<Record<string, string>> {
  return prune(['--missing-cwd', ...args], env);
}

async function prune(
  args: readonly string[],
  env: Context['env'] = {},
): Promise<Record<string, string>> {
  const all = ['prune', '--allow-empty', '--json', ...args];
  const { out } = await runTest(all, { cwd: home, home, env });
  const { results } = JSON.parse(out) as {
    results: readonly { path: string; action: string; reasons: readonly string[] }[];
  };
  const toName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).slice(0, 8);
  return Object.fromEntries(
    results.map(({ path, action, reasons }) => [toName(path), `${action}: ${reasons.join(', ')}`]),
  );
}

it('takes a directory for there, whatever normal form of Unicode its name has', async () => {
  const [disk, session, gone] = [
    `${home}/e\u0301t\u00e9/src`,
    `${home}/\u00e9t\u00e9/src`,
    '\u00e9/no',
  ];
  await mkdir(disk, { recursive: true });
  await writeFiles(home, {
    [`${CLAUDE}/${A}.jsonl`]: claude(A, session),
    [`${CLAUDE}/${B}.jsonl`]: claude(B, `${home}/${gone}`),
    [`${PI}/${C}.jsonl`]: pi(session),
  });
  expect(await pruneMissing()).toEqual({
    aaaaaaaa: 'keep: not selected',
    bbbbbbbb: `remove: ${GONE}`,
    cccccccc: 'keep: not selected',
  });
});

it('takes a directory for there that was named by way of another, which is gone', async () => {
  // Codex 0.40 joins its own directory and a relative one, without a look at the disk.
  await mkdir(join(home, 'src/lib/docs'), { recursive: true });
  await writeFiles(home, {
    [`${PI}/${A}.jsonl`]: pi(`${home}/src/gone/../lib`),
    [`${PI}/${B}.jsonl`]: pi(`${home}/src/lib/../gone`),
    [`${PI}/${C}.jsonl`]: pi(`${home}/src/gone/.`),
  });
  expect(await pruneMissing()).toEqual({
    aaaaaaaa: 'keep: not selected',
    bbbbbbbb: `remove: ${GONE}`,
    cccccccc: `remove: ${GONE}`,
  });
});

it('keeps a session of oh-my-pi that was moved along from a directory that is not gone', async () => {
  await mkdir(join(home, 'src/api'), { recursive: true });
  const store = '.omp/agent/sessions';
  const moved = (from: string): object[] => {
    const [header, ...entries] = pi(`${home}/wt/api`);
    return [{ ...header, previousSessionFiles: [`/old/sessions/${from}/s.jsonl`] }, ...entries];
  };
  await writeFiles(home, {
    [`${store}/-wt-api/${A}.jsonl`]: moved('-src-api'),
    [`${store}/-wt-api/${B}.jsonl`]: moved('-src-gone'),
  });
  expect(await pruneMissing(['--store', store])).toMatchObject({
    aaaaaaaa: 'keep: not selected',
    bbbbbbbb: `remove: ${GONE}`,
  });
});

it.each([
  ['\u00e9t\u00e9', 'e\u0301te\u0301'],
  ['e\u0301te\u0301', '\u00e9t\u00e9'],
])('keeps a session whose project is named after %j, which is there as %j', async (named, disk) => {
  await mkdir(join(home, disk, 'api'), { recursive: true });
  const toName = (path: string): string => path.replaceAll(/[^A-Za-z0-9]/g, '-');
  await writeFiles(home, {
    [`.claude/projects/${toName(`${home}/${named}/api`)}/${A}.jsonl`]: claude(A, `${home}/old`),
    [`.claude/projects/${toName(`${home}/${named}/no`)}/${B}.jsonl`]: claude(B, `${home}/old`),
    [`.pi/agent/sessions/-${named}-api/${C}.jsonl`]: pi(`${home}/old`),
  });
  expect(await pruneMissing()).toEqual({
    aaaaaaaa: 'keep: not selected',
    bbbbbbbb: `remove: ${GONE}`,
    cccccccc: 'keep: not selected',
  });
});

it('looks for the project of a session of oh-my-pi in every directory for temporary files', async () => {
  const temporary = join(home, 'temporary');
  await mkdir(join(temporary, 'there'), { recursive: true });
  const store = '.omp/agent/sessions';
  const gone = pi(join(temporary, 'gone'));
  await writeFiles(home, {
    [`${store}/-tmp-there/${A}.jsonl`]: gone,
    [`${store}/-tmp-gone/${B}.jsonl`]: gone,
  });
  const env = { TMPDIR: home, TMP: temporary };
  expect(await pruneMissing(['--store', store], env)).toEqual({
    aaaaaaaa: 'keep: not selected',
    bbbbbbbb: `remove: ${GONE}`,
  });
});

const toClaudeName = (path: string): string => path.replaceAll(/[^A-Za-z0-9]/g, '-');

it('keeps a session whose project was renamed to one of the same name in the store', async () => {
  await mkdir(join(home, 'src/my-api'), { recursive: true });
  const [api, other] = [join(home, 'src/my_api'), join(home, 'src/my_web')];
  await writeFiles(home, {
    [`.claude/projects/${toClaudeName(api)}/${A}.jsonl`]: claude(A, api),
    [`.claude/projects/${toClaudeName(other)}/${B}.jsonl`]: claude(B, other),
    [`.pi/agent/sessions/${toProjectDirectoryName(join(home, 'src/my/api'))}/${C}.jsonl`]: pi(
      `${home}/src/my/api`,
    ),
  });
  expect(await pruneMissing()).toEqual({
    aaaaaaaa: 'keep: not selected',
    bbbbbbbb: `remove: ${GONE}`,
    cccccccc: 'keep: not selected',
  });
  const doubt = `its working directory may be ${join(home, 'src/my-api')}`;
  expect(await prune(['--project', api])).toMatchObject({ aaaaaaaa: `keep: ${doubt}` });
});

it('keeps a session whose project has moved, where a link of the store has the new name', async () => {
  await mkdir(join(home, 'new'), { recursive: true });
  const [old, fresh, gone] = [join(home, 'old'), join(home, 'new'), join(home, 'gone')];
  const [projects, sessions] = ['.claude/projects', '.pi/agent/sessions'];
  await writeFiles(home, {
    [`${projects}/${toClaudeName(old)}/${A}.jsonl`]: claude(A, old),
    [`${projects}/${toClaudeName(gone)}/${B}.jsonl`]: claude(B, gone),
    [`${sessions}/${toProjectDirectoryName(old)}/${C}.jsonl`]: pi(old),
    [`${sessions}/${toProjectDirectoryName(fresh)}/notes.txt`]: '',
  });
  await symlink(toClaudeName(old), join(home, projects, toClaudeName(fresh)));
  const link = join(home, sessions, toProjectDirectoryName(fresh), `${C}.jsonl`);
  await symlink(join('..', toProjectDirectoryName(old), `${C}.jsonl`), link);
  expect(await pruneMissing()).toEqual({
    aaaaaaaa: 'keep: not selected',
    bbbbbbbb: `remove: ${GONE}`,
    cccccccc: 'keep: not selected',
  });
});
