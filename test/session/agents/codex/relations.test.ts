import { cpSync, readdirSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateSession } from '../../../../src/session/validate/validate-session.ts';
import { openRunSources } from '../../../../src/store/database/read-records.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { toZstd } from '../../../zstd-frames.ts';
import { FIXTURES, getRecorded, placeRecorded, RECORDED } from './corpus.ts';

const OPTIONS = { levels: new Map() };

/** What the rules about other files and names say of a rollout. */
async function check(path: string): Promise<readonly string[]> {
  const validation = await validateSession(path, OPTIONS);
  const found =
    validation?.findings.filter(({ rule }) => /^rollout-(?:name|base)/.test(rule)) ?? [];
  return found.map(({ rule, level, fixable, message }) => {
    expect({ level, fixable }).toEqual({ level: 'error', fixable: false });
    return `${rule}: ${message}`;
  });
}

/** A fork by reference, and the file that its history begins in. */
async function placeFork(name = 'fork-child') {
  const recorded = getRecorded(name);
  const path = await placeRecorded(recorded);
  const home = path.slice(0, -recorded.place.length);
  return { path, parent: join(home, recorded.also[0]?.place ?? '') };
}

const edit = async (path: string, change: (text: string) => string): Promise<void> =>
  writeFile(path, change(await readFile(path, 'utf8')));

describe('relations of a rollout', () => {
  it.each(RECORDED.map((recorded) => [recorded.name, recorded] as const))(
    'are sound where the client opened it: %s',
    async (_, recorded) => {
      expect(await check(await placeRecorded(recorded))).toEqual([]);
    },
  );

  const GONE =
    'rollout-base-unusable: continues from 01a1fff1-77da-7ae2-8853-7934d5b198c0, which is';
  const FROM =
    'rollout-base-unusable: continues from byte 17,338 of 01a1fff1-77da-7ae2-8853-7934d5b198c0';

  it.each<readonly [string, (parent: string) => Promise<void>, string]>([
    ['is gone', (parent) => rm(parent), `${GONE} not in the store`],
    [
      'was cut short',
      (parent) => edit(parent, (text) => text.slice(0, 9000)),
      `${FROM}, which is shorter`,
    ],
    [
      'has a longer line before that',
      (parent) => edit(parent, (text) => text.replace('First', 'The very first')),
      `${FROM}, which is in the middle of a line`,
    ],
  ])('are broken where the parent %s', async (_, change, message) => {
    const { path, parent } = await placeFork();
    await change(parent);
    expect(await check(path)).toEqual([message]);
  });

  it('are broken where the fork begins at another line than it says', async () => {
    const { path, parent } = await placeFork();
    const text = await readFile(parent, 'utf8');
    const start = text.lastIndexOf('\n', 17_336) + 1;
    await edit(path, (own) => own.replace('"end_byte_offset":17338', `"end_byte_offset":${start}`));
    const from = `byte ${start.toLocaleString('en-US')} of 01a1fff1-77da-7ae2-8853-7934d5b198c0`;
    expect(await check(path)).toEqual([
      `rollout-base-unusable: continues from ${from}, where line 28 is by its ordinal, and 29 was`,
    ]);
  });

  it('are sound where the parent is compressed', async () => {
    const { path, parent } = await placeFork();
    await writeFile(`${parent}.zst`, toZstd(await readFile(parent)));
    await rm(parent);
    expect(await check(path)).toEqual([]);
  });

  it('are broken where the generation before is gone', async () => {
    const { path, parent } = await placeFork('reverted-second-generation');
    await rm(parent);
    const id = '01a1fff1-733c-7313-a682-2cb297b51122';
    const message = `rollout-base-unusable: continues from ${id}, which is not in the store`;
    expect(await check(path)).toEqual([message]);
  });

  it('are doubtful where the client has read more of the file than there is', async () => {
    const home = await makeTempDir();
    cpSync(join(FIXTURES, 'home'), home, { recursive: true });
    const sources = openRunSources({});
    const find = async (path: string): Promise<readonly string[]> => {
      const validation = await validateSession(path, { ...OPTIONS, sources });
      const found =
        validation?.findings.filter(({ rule }) => rule.startsWith('rollout-projection')) ?? [];
      return found.map(({ rule, level, message }) => `${level} ${rule}: ${message}`);
    };
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
    const rollouts = files.filter((file) => /rollout-.*[.]jsonl/.test(file));
    expect(rollouts).toHaveLength(11);
    for (const file of rollouts) expect([file, await find(join(home, file))]).toEqual([file, []]);
    const path = join(home, rollouts.find((file) => file.endsWith('-6bc9ed3ff874.jsonl')) ?? '');
    await edit(path, (text) => text.replace('a test assistant', 'assistant'));
    const said = 'warning rollout-projection-ahead: Codex has read it up to byte 17,426, and';
    expect(await find(path)).toEqual([`${said} it is shorter`]);
    await edit(
      path,
      (text) => `${text}{"timestamp":"2026-11-22T00:00:00Z","type":"x","payload":{}}\n`,
    );
    expect(await find(path)).toEqual([`${said} no line begins there`]);
  });

  it('are doubtful where a file was moved by hand, or says nothing to the model', async () => {
    const home = await makeTempDir();
    cpSync(join(FIXTURES, 'home'), home, { recursive: true });
    const sources = openRunSources({});
    const find = async (path: string): Promise<readonly string[]> => {
      const validation = await validateSession(path, { ...OPTIONS, sources });
      const found = validation?.findings.filter(({ rule }) => /row-|items-/.test(rule)) ?? [];
      return found.map(({ rule, message }) => `${rule}: ${message}`);
    };
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
    const rollouts = files.filter((file) => /rollout-.*[.]jsonl/.test(file));
    for (const file of rollouts) expect([file, await find(join(home, file))]).toEqual([file, []]);
    const name = rollouts.find((file) => file.endsWith('-6bc9ed3ff874.jsonl')) ?? '';
    const moved = join(home, 'archived_sessions', basename(name));
    await rename(join(home, name), moved);
    expect(await find(moved)).toEqual([
      'rollout-row-archived: is among the archived, and the database has it as active: Codex does not resume it',
    ]);
    const latest = rollouts.find((file) => file.includes('_01a1fffd-59d8')) ?? '';
    await rm(join(home, latest));
    const first = rollouts.find((file) => file.endsWith('-5eb79e5a9b63.jsonl')) ?? '';
    expect(await find(join(home, first))).toEqual([
      `rollout-row-stale: the database names ${basename(latest)} for it, which is not in the store`,
    ]);
    const child = rollouts.find((file) => file.includes('-54ad-7773')) ?? '';
    const [begun, other] = ['01a1fffd-546c-7510-b5fc-2cd045944e1a', basename(name).slice(28, -6)];
    await edit(join(home, child), (text) => text.replaceAll(begun, other));
    expect(await find(join(home, child))).toEqual([
      `rollout-row-spawn: begun by ${begun} in the database, and by ${other} in the file`,
    ]);
    const path = await placeRecorded(getRecorded('legacy-linear'));
    await edit(path, (text) =>
      text
        .split('\n')
        .filter((line) => !line.includes('"type":"response_item"'))
        .join('\n'),
    );
    expect(await find(path)).toEqual([
      'rollout-items-missing: shows prompts, and the model is sent none of them',
    ]);
  });

  it('are doubtful where two files are the same thread, and no generations', async () => {
    const path = await placeRecorded(getRecorded('reverted-second-generation'));
    const find = async (): Promise<readonly string[]> => {
      const validation = await validateSession(path, OPTIONS);
      const found = validation?.findings.filter(({ rule }) => rule === 'rollout-twice') ?? [];
      return found.map(({ level, message }) => `${level}: ${message}`);
    };
    expect(await find()).toEqual([]);
    const copy = path.replace('T21-09-', 'T22-09-');
    await cp(path, copy);
    const message = (start: string) =>
      expect.stringContaining(`warning: has the thread id of rollout-2026-11-21T${start}-09-36-`);
    expect(await find()).toEqual([message('22')]);
    const away = join(path.slice(0, path.indexOf('/sessions/')), 'archived_sessions');
    await mkdir(away);
    await rename(copy, join(away, basename(path)));
    expect(await find()).toEqual([message('21')]);
  });

  it('are broken where the name is not one of Codex, or has another id', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    const other = join(dirname(path), 'rollout-mine.jsonl');
    await rename(path, other);
    const unnamed = 'rollout-name: Codex does not open a file named rollout-mine.jsonl';
    expect(await check(other)).toEqual([unnamed]);
    const id = '01a1fff1-6b05-7230-8d0d-27ae6e7ae021';
    const wrong = join(dirname(path), `rollout-2026-11-21T21-09-34-${id}.jsonl`);
    await rename(other, wrong);
    expect(await check(wrong)).toEqual([
      `rollout-name-id: the name has ${id}, and the first line 01a1fff1-6b05-7230-8d0d-27ae6e7ae020`,
    ]);
  });
});
