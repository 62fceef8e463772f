import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeTempDir } from '../temp-dir.ts';
import { makeSession } from '../torture/old-store.ts';
import { runOnWindows, runScript, toWindowsPath } from './node-exe.ts';

const HOLD = fileURLToPath(new URL('hold.mjs', import.meta.url));
const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));
const LONG_AGO = new Date('2026-06-01T00:00:00.000Z');

/** A session that another program has open until `release` is called. */
async function makeHeldSession() {
  const dir = await makeTempDir();
  const path = join(dir, 's.jsonl');
  const text = makeSession(3);
  writeFileSync(path, text);
  utimesSync(path, LONG_AGO, LONG_AGO);
  const [opened, freed] = [join(dir, 'opened'), join(dir, 'freed')];
  const args = [path, opened, freed].map(toWindowsPath);
  const holder = runScript(HOLD, args, { cwd: dir, home: dir });
  while (!existsSync(opened)) await setTimeout(10);
  const release = async (): Promise<void> => {
    writeFileSync(freed, '');
    expect(await holder).toMatchObject({ code: 0 });
  };
  const migrate = () =>
    runOnWindows(['migrate', 's.jsonl', '--apply', '--json'], { cwd: dir, home: dir });
  const listOthers = () =>
    readdirSync(dir).filter((name) => !/^(?:s\.jsonl|opened|freed)$/.test(name));
  return { release, migrate, read: () => readFileSync(path, 'utf8'), text, listOthers };
}

// Node opens files so that others may delete them. Windows refuses all the same to let another file take
// the name, as long as any program has it open (MoveFileEx, and Wine too).
describe('a session that another program has open', () => {
  it('is skipped, as it was, and nothing is left beside it', async () => {
    const { release, migrate, read, text, listOthers } = await makeHeldSession();
    const { code, out } = await migrate();
    expect(JSON.parse(out)).toMatchObject({
      results: [{ action: 'skip', reasons: ['is held open by another program; left unchanged'] }],
    });
    expect([code, read()]).toEqual([0, text]);
    await release();
    // NTFS removes one of two names at once; Wine when nobody has the file open by the other.
    expect(listOthers()).toEqual([]);
  });

  it('is replaced once that program has closed it', async () => {
    const { release, migrate, read, text, listOthers } = await makeHeldSession();
    await release();
    const { code } = await migrate();
    expect([code, read() === text, listOthers()]).toEqual([0, false, []]);
  });
});

const CLAUDE_CODE = 'aaaaaaaa-0000-4000-8000-000000000001';

describe('a session that its agent has open', () => {
  it('is in use by the number of the process, until that has ended', async () => {
    const dir = await makeTempDir();
    const config = join(dir, '.claude');
    const fixture = `projects/-home-u-demo-project/${CLAUDE_CODE}.jsonl`;
    cpSync(join(FIXTURES, 'claude-code/home/.claude', fixture), join(config, fixture));
    utimesSync(join(config, fixture), LONG_AGO, LONG_AGO);
    mkdirSync(join(config, 'sessions'));
    const [opened, freed] = [join(dir, 'opened'), join(dir, 'freed')];
    const note = join(config, 'sessions', '%PID%.json');
    const holder = runScript(HOLD, [note, opened, freed].map(toWindowsPath), {
      cwd: dir,
      home: dir,
    });
    while (!existsSync(opened)) await setTimeout(10);
    const [name = ''] = readdirSync(join(config, 'sessions'));
    writeFileSync(join(config, 'sessions', name), JSON.stringify({ sessionId: CLAUDE_CODE }));
    const prune = async (): Promise<readonly { action: string; reasons: readonly string[] }[]> => {
      const args = ['prune', '--older-than', '1d', '--allow-empty', '--grace', '0s', '--json'];
      const { out } = await runOnWindows(args, { cwd: dir, home: dir });
      return JSON.parse(out).results;
    };
    const reason = 'is open in its agent';
    expect(await prune()).toMatchObject([{ action: 'keep', reasons: [reason] }]);
    writeFileSync(freed, '');
    await holder;
    const [after] = await prune();
    expect(after?.reasons).not.toContain(reason);
  });
});
