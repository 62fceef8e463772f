import { execFile } from 'node:child_process';
import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { globSync } from 'fast-glob';
import { parse } from 'plist';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../memory-terminal.ts';
import { type SampleOptions, sampleSession } from '../sample-session.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { BINARY } from './run-binary.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = join(ROOT, 'docs/prune.md');
const DAY = 86_400_000;
/** Long before any clock that these tests may meet. */
const LAST_USE = Date.parse('2020-12-01T12:00:00.000Z');
const GARDEN = '.pi/agent/sessions/--home-dev-garden--';
const OLD = join(ROOT, 'test/fixtures/recorded/0.30.2-every-message.jsonl');

let home: string;

/** Sessions of a person who has slept for years. */
beforeEach(async () => {
  home = await makeTempDir();
  const old = await readFile(OLD, 'utf8');
  await writeSession(`${GARDEN}/newer.jsonl`, 0, { id: 'newer' });
  await writeSession(`${GARDEN}/older.jsonl`, 100, { id: 'older' });
  await writeFiles(home, { '.pi/agent/sessions/--old--/old.jsonl': old });
  await backdate('.pi/agent/sessions/--old--/old.jsonl', 100);
});

/** A session last used so many days before the last use of any. */
async function writeSession(name: string, days: number, options: SampleOptions): Promise<void> {
  const start = new Date(LAST_USE - days * DAY).toISOString();
  await writeFiles(home, { [name]: sampleSession({ start, cwd: '/home/dev/garden', ...options }) });
  await backdate(name, days);
}

async function backdate(name: string, days: number): Promise<void> {
  const time = new Date(LAST_USE - days * DAY);
  await utimes(join(home, name), time, time);
}

interface Run {
  readonly code: number;
  readonly output: string;
}

/** Runs a line as cron, systemd and launchd do: with little around it. */
async function run(shell: string): Promise<Run> {
  await writeFiles(home, {
    'bin/coppice': `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`,
  });
  const env = { HOME: home, PATH: `${home}/bin:/usr/bin:/bin`, TZ: 'UTC' };
  const script = `chmod +x "$HOME/bin/coppice"; ${shell}`;
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', script], { env, cwd: home }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: out + err });
    });
  });
}

/** Runs a command in this process. */
async function runHere(command: string): Promise<Run> {
  const { exitCode, out, err } = await runTest(command.split(' '), { cwd: home, home });
  return { code: exitCode, output: out + err };
}

/** The code blocks below a heading. */
async function readBlocks(heading: string): Promise<readonly string[]> {
  const [, section = ''] = (await readFile(PAGE, 'utf8')).split(`\n### ${heading}\n`);
  const [own = ''] = section.split('\n### ');
  return [...own.matchAll(/```\w*\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

/** Runs it twice, as two nights would: the first archives, the second has nothing to say. */
async function runTwoNights(command: string) {
  const first = await run(command);
  const archived = globSync('old-sessions/**/*.gz', { cwd: home }).length;
  return { first, archived, second: await run(command) };
}

const TWO_NIGHTS = {
  first: { code: 0, output: expect.stringMatching(/^ACTION.*\nremove .*\n$/) },
  archived: 1,
  second: { code: 0, output: '' },
};

/** In a store as small as this, the policy of the documentation would keep everything. */
const tighten = (command: string): string => command.replace('--keep-last 5', '--keep-last 1');

describe('the crontab of docs/prune.md', () => {
  it('has five fields before each command', async () => {
    const [crontab = ''] = await readBlocks('cron');
    const lines = crontab.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^([\d*,/-]+\s+){5}coppice prune /);
  });

  it('previews on Mondays, and archives at night', async () => {
    const [crontab = ''] = await readBlocks('cron');
    const [preview = '', nightly = ''] = crontab.match(/coppice .*/g) ?? [];
    expect((await run(tighten(preview))).output).toMatch(/Would remove 1 of \d+ sessions/);
    expect(await runTwoNights(tighten(nightly))).toEqual(TWO_NIGHTS);
  });
});

describe('the systemd units of docs/prune.md', () => {
  it('are what systemd understands', async () => {
    const [service = '', timer = ''] = await readBlocks('systemd');
    // A manager would look the program up; systemd-analyze wants to see it.
    const found = service.replace('ExecStart=coppice', 'ExecStart=/bin/sh');
    await writeFiles(home, {
      'units/coppice-prune.service': found,
      'units/coppice-prune.timer': timer,
    });
    const verify = 'systemd-analyze --user --man=no verify "$HOME"/units/*';
    const hasSystemd = (await run('command -v systemd-analyze')).code === 0;
    const verified = hasSystemd ? await run(verify) : { code: 0, output: '' };
    // Elsewhere there is at least what a unit must have.
    expect(service).toMatch(/^\[Service\]\nType=oneshot\nExecStart=/m);
    expect(timer).toMatch(/^OnCalendar=/m);
    expect(verified.output.split('\n').filter((line) => line.includes('coppice-prune'))).toEqual(
      [],
    );
  });

  it('archive at night', async () => {
    const [service = ''] = await readBlocks('systemd');
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(service) ?? [];
    expect(await runTwoNights(tighten(command).replace('%h', home))).toEqual(TWO_NIGHTS);
  });
});

describe('the launchd agent of docs/prune.md', () => {
  it('is a property list that archives at night, and logs', async () => {
    const [text = ''] = await readBlocks('launchd');
    const agent = JSON.parse(JSON.stringify(parse(text)));
    expect(agent).toMatchObject({
      Label: 'coppice.prune',
      StartCalendarInterval: { Hour: 3, Minute: 30 },
    });
    const [shell, , script] = agent.ProgramArguments;
    expect(shell).toBe('/bin/sh');
    await run(`mkdir -p Library/Logs; ${tighten(script)}`);
    const log = await readFile(join(home, 'Library/Logs/coppice.log'), 'utf8');
    expect(log).toMatch(/^remove /m);
  });
});

describe('--quiet', () => {
  it.each([
    'list --limit 0',
    'validate --project /home/dev/garden --rule place-file-name=off',
    'migrate --project /home/dev/garden --apply',
    'compact --apply',
    'compact --images drop --apply',
    'prune --older-than 300y --apply',
    'export --as html --out site',
  ])('says nothing when nothing has happened: %s', async (command) => {
    expect(await runHere(`${command} --quiet`)).toEqual({ code: 0, output: '' });
  });

  it.each(['list', 'migrate --apply', 'compact --force --keep-recent-tokens 1 --apply'])(
    'speaks when something has: %s',
    async (command) => {
      expect((await runHere(`${command} --quiet`)).output).not.toBe('');
    },
  );

  it('names what could not be read', async () => {
    await writeFiles(home, { '.pi/agent/sessions/a/torn.jsonl': '' });
    const torn = '.pi/agent/sessions/a/torn.jsonl';
    const { code, output } = await runHere(`list ${torn} --quiet --limit 0`);
    expect({ code, output }).toEqual({ code: 3, output: expect.stringContaining('torn.jsonl') });
  });
});
