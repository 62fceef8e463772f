import { appendFileSync, cpSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { applyPrune, planPrune } from '../../../src/index.ts';
import { makeTempDir } from '../../temp-dir.ts';

const [OLD, OTHER, LATEST, NEW] = ['a', 'b', 'c', 'd'].map(
  (letter) => `${letter.repeat(8)}-0000-4000-8000-000000000001`,
) as [string, string, string, string];

function toLines(id: string, day: number, content = 'Hello.'): string {
  const message = { role: 'user', content: `${content} ${id}` };
  const facts = { isSidechain: false, cwd: '/w', version: '2.1.332', userType: 'external' };
  const timestamp = `2026-06-0${day}T10:00:00.000Z`;
  const line = { parentUuid: null, type: 'user', message, uuid: id, timestamp, sessionId: id };
  return `${JSON.stringify({ ...line, ...facts })}\n`;
}

/**
 * Three sessions, of which a rule keeps the latest; the first has long outputs and checkpoints. `isBusy`: its agent writes
 * to the latest while the plan is made.
 */
async function plan(isBusy = false) {
  const home = join(await makeTempDir(), '.claude');
  const toPath = (id: string, project = '-w') => join(home, 'projects', project, `${id}.jsonl`);
  for (const [at, id] of [OLD, OTHER, LATEST].entries()) {
    mkdirSync(dirname(toPath(id)), { recursive: true });
    writeFileSync(toPath(id), toLines(id, at + 1));
    utimesSync(toPath(id), 1_780_000_000, 1_780_000_000);
  }
  const output = join(home, 'projects/-w', OLD, 'tool-results/a.txt');
  const checkpoint = join(home, 'file-history', OLD, 'a@v1');
  for (const file of [output, checkpoint, join(home, 'tasks', OLD, '1.json')]) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'text');
  }
  const now = () => Date.now() + 864e5;
  const write = (): void => appendFileSync(toPath(LATEST), toLines(LATEST, 3));
  const writing = isBusy ? setInterval(write, 1) : undefined;
  const found = await planPrune([join(home, 'projects')], { keepLast: 1, grace: '0s' }, { now });
  clearInterval(writing);
  return { found, output, checkpoint, toPath };
}

type Planned = Awaited<ReturnType<typeof plan>>;

const CHANGES: readonly (readonly [string, (planned: Planned) => void])[] = [
  [
    'a copy of it in another project',
    ({ toPath }) => {
      cpSync(toPath(OLD), toPath(OLD, '-other'));
    },
  ],
  [
    'a fork of it',
    ({ toPath }) => {
      const fork = { sessionId: NEW, forkedFrom: { sessionId: OLD, messageUuid: OLD } };
      const line = JSON.parse(toLines(OLD, 1)) as object;
      writeFileSync(toPath(NEW), `${JSON.stringify({ ...line, ...fork })}\n`);
    },
  ],
  [
    'a note that another session continues with its tasks',
    ({ toPath }) => {
      const tasks = join(dirname(toPath(OLD)), '../../tasks', LATEST);
      mkdirSync(tasks, { recursive: true });
      writeFileSync(join(tasks, '.session-list'), `${OLD}\n`);
    },
  ],
  [
    'a session that names its files',
    ({ toPath, output }) => {
      writeFileSync(toPath(NEW), toLines(NEW, 4, `saved to: ${output}`));
    },
  ],
];

it.each(CHANGES)('keep a session where there is since the plan %s', async (_, change) => {
  const planned = await plan();
  const { found, output, checkpoint, toPath } = planned;
  change(planned);
  const outcomes = await applyPrune(found, { delete: true });
  expect(outcomes.map(({ path, action }) => [path, action])).toEqual([
    [toPath(OTHER), 'remove'],
    [toPath(OLD), 'skip'],
  ]);
  expect([toPath(OLD), output, checkpoint].every((path) => existsSync(path))).toBe(true);
  expect(existsSync(toPath(OTHER))).toBe(false);
});

it('keep a session whose files a kept one names since the plan, to which its agent wrote all the time', async () => {
  const { found, output, toPath } = await plan(true);
  expect(found.decisions.filter(({ action }) => action === 'remove')).toHaveLength(2);
  appendFileSync(toPath(LATEST), toLines(LATEST, 3, `saved to: ${output}`));
  const outcomes = await applyPrune(found, { delete: true });
  expect(outcomes).toContainEqual(expect.objectContaining({ path: toPath(OLD), action: 'skip' }));
  expect(existsSync(output)).toBe(true);
});

it('keep a session whose plan a kept one names since it was to be removed', async () => {
  const home = join(await makeTempDir(), '.claude');
  const document = join(home, 'plans/foo-bar-baz.md');
  const toPath = (id: string) => join(home, 'projects/-w', `${id}.jsonl`);
  const [old, latest] = [toPath(OLD), toPath(LATEST)];
  const slug = '"slug":"foo-bar-baz"';
  const toNaming = (id: string, day: number) => toLines(id, day).replace('{', `{${slug},`);
  for (const path of [document, old, latest]) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(document, 'First, look.');
  writeFileSync(old, toNaming(OLD, 1));
  writeFileSync(latest, toLines(LATEST, 3));
  const now = () => Date.now() + 864e5;
  const found = await planPrune([join(home, 'projects')], { keepLast: 1, grace: '0s' }, { now });
  appendFileSync(latest, toNaming(LATEST, 4));
  const outcomes = await applyPrune(found, { delete: true });
  expect(outcomes).toMatchObject([{ action: 'skip', reasons: ['changed since it was planned'] }]);
  expect(existsSync(document)).toBe(true);
  const again = await planPrune([join(home, 'projects')], { keepLast: 1, grace: '0s' }, { now });
  expect(await applyPrune(again, { delete: true })).toMatchObject([{ action: 'remove' }]);
  expect(existsSync(document)).toBe(true);
});

it('remove what was planned where nothing has come that needs it', async () => {
  const { found, checkpoint, toPath } = await plan();
  writeFileSync(toPath(NEW), toLines(NEW, 4));
  const outcomes = await applyPrune({ ...found }, { delete: true });
  expect(outcomes.map(({ action }) => action)).toEqual(['remove', 'remove']);
  expect(existsSync(checkpoint)).toBe(false);
});
