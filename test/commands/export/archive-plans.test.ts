import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const [OWN, OTHER] = [
  'aaaaaaaa-0000-4000-8000-000000000001',
  'bbbbbbbb-0000-4000-8000-000000000002',
];
const PLAN = 'calm-fox.md';
const DAY = 86_400_000;
const EXPIRED = /^its agent may delete it again/;

interface Result {
  readonly id: string;
  readonly path: string;
  /** Undefined for a problem. */
  readonly action?: string;
  readonly reasons: readonly string[];
}

let home: string;
let claude: string;

const run = (args: readonly string[], now = NOW) =>
  runTest(args, { cwd: home, home, now: () => now });

function toLines(sessionId: string, slug?: string): string {
  const message = { role: 'user', content: 'Go on.' };
  const line = { type: 'user', message, uuid: sessionId, parentUuid: null, sessionId, slug };
  const facts = { timestamp: '2026-06-01T10:00:00.000Z', cwd: '/w', version: '2.1.332' };
  return `${JSON.stringify({ ...line, ...facts, isSidechain: false })}\n`;
}

const session = (id: string): string => join(claude, 'projects/-w', `${id}.jsonl`);
const plan = (name = PLAN): string => join(claude, 'plans', name);

/** What became of each session, by its id. */
function toActions(out: string): Record<string, string> {
  const { results } = JSON.parse(out) as { results: readonly Result[] };
  return Object.fromEntries(
    results
      .filter(({ action }) => action !== undefined)
      .map(({ path, action, reasons }) => [
        path.slice(path.lastIndexOf('/') + 1, -'.jsonl'.length),
        `${action}: ${reasons.filter((one) => !EXPIRED.test(one)).join(', ')}`,
      ]),
  );
}

async function backUp(now = NOW): Promise<Record<string, string>> {
  const { out, err } = await run(['export', '--as', 'archive', '--out', 'bk', '--json'], now);
  if (out === '') throw new Error(err);
  return toActions(out);
}

async function restore(...more: string[]) {
  const args = ['prune', '--archive', 'bk', '--restore', ...more, '--json'];
  const { out, err, exitCode } = await run(args);
  return { exitCode, err, actions: toActions(out) };
}

/** Makes the stamps of files old enough to be believed. */
async function settle(): Promise<void> {
  for (const path of [session(OWN), session(OTHER), plan()]) {
    await utimes(path, 1_780_000_000, 1_780_000_000).catch(() => undefined);
  }
}

beforeEach(async () => {
  home = await makeTempDir();
  claude = join(home, '.claude');
  await writeFiles(claude, {
    [`projects/-w/${OWN}.jsonl`]: toLines(OWN, 'calm-fox'),
    [`plans/${PLAN}`]: '# The plan',
    'plans/calm-fox-agent-a1b2.md': '# Of a sub-agent',
    'plans/calm-foxes.md': '# Another plan',
  });
  await settle();
});

describe('a backup of plans', () => {
  it('holds the plans that the lines of a session name, and gives them back', async () => {
    expect(await backUp()).toEqual({ [OWN]: 'backup: copied' });
    await rm(join(claude, 'plans'), { recursive: true });
    await rm(session(OWN));
    expect(await restore('all')).toMatchObject({
      exitCode: 0,
      actions: { [OWN]: 'restore: from the archive' },
    });
    expect(await readdir(join(claude, 'plans'))).toEqual(['calm-fox-agent-a1b2.md', PLAN]);
    expect(await readFile(plan(), 'utf8')).toBe('# The plan');
    const { exitCode } = await run(['prune', '--archive', 'bk', '--check']);
    expect(exitCode).toBe(0);
  });

  it('notices by the stamps of its files that a plan was changed, made or removed', async () => {
    await backUp(NOW);
    expect(await backUp(NOW + DAY)).toEqual({ [OWN]: 'unchanged: not changed' });
    await writeFile(plan(), '# Revised');
    expect(await backUp(NOW + 2 * DAY)).toEqual({ [OWN]: 'backup: copied' });
    await writeFile(plan('calm-fox-agent-c3d4.md'), '# One more');
    expect(await backUp(NOW + 3 * DAY)).toEqual({
      [OWN]: 'backup: copied; replaces a state that it begins with',
    });
    expect(await backUp(NOW + 4 * DAY)).toEqual({ [OWN]: 'unchanged: not changed' });
    await rm(plan());
    expect(await backUp(NOW + 5 * DAY)).toEqual({ [OWN]: 'backup: copied' });
    expect(await backUp(NOW + 6 * DAY)).toEqual({ [OWN]: 'unchanged: not changed' });
  });

  it('restores the plans of a directory that was away during a backup, as on another disk', async () => {
    await backUp();
    await rename(join(claude, 'plans'), join(home, 'away'));
    expect(await backUp(NOW + DAY)).toEqual({ [OWN]: 'backup: copied' });
    await rename(join(home, 'away'), join(claude, 'plans'));
    expect(await backUp(NOW + 2 * DAY)).toEqual({ [OWN]: 'unchanged: not changed' });
    const index = await readFile(join(home, 'bk/index.ndjson'), 'utf8');
    expect(await backUp(NOW + 3 * DAY)).toEqual({ [OWN]: 'unchanged: not changed' });
    expect(await readFile(join(home, 'bk/index.ndjson'), 'utf8')).toBe(index);
    await rm(join(claude, 'plans'), { recursive: true });
    await rm(session(OWN));
    await restore('all');
    expect(await readFile(plan(), 'utf8')).toBe('# The plan');
  });

  it('reads a session again that an older coppice has copied without its plan', async () => {
    await backUp();
    const index = join(home, 'bk/index.ndjson');
    const lines = await readFile(index, 'utf8');
    await writeFile(index, lines.replace(/,"claims":\[[^\]]*\]/, ''));
    expect(lines).toContain('"claims":["plans/calm-fox.md"]');
    await rm(plan());
    expect(await backUp(NOW + DAY)).toEqual({ [OWN]: 'backup: copied' });
  });

  it('says as of a moment that an earlier state is restored, if that of the moment was replaced', async () => {
    await backUp();
    await writeFile(plan(), '# Revised');
    await backUp(NOW + DAY);
    await appendFile(session(OWN), toLines(OWN, 'calm-fox').replace(OWN, 'c'));
    await backUp(NOW + 3 * DAY);
    await rm(claude, { recursive: true });
    await mkdir(join(claude, 'projects'), { recursive: true });
    const asOf = (days: number): string[] => ['--as-of', new Date(NOW + days * DAY).toISOString()];
    const { exitCode, err } = await restore('all', ...asOf(2), '--dry-run');
    expect([exitCode, err]).toEqual([
      3,
      expect.stringContaining('restored as it was before: its state at that time was replaced'),
    ]);
    expect((await restore('all', ...asOf(0), '--dry-run')).exitCode).toBe(0);
    expect((await restore('all', ...asOf(3), '--dry-run')).exitCode).toBe(0);
  });

  it('does not look for what an index names outside of the plans', async () => {
    await backUp();
    const index = join(home, 'bk/index.ndjson');
    const lines = await readFile(index, 'utf8');
    await writeFile(index, lines.replace('"plans/calm-fox.md"]', '"plans/../secret.md"]'));
    await writeFiles(claude, { 'secret.md': 'x' });
    expect(await backUp(NOW + DAY)).toEqual({ [OWN]: 'unchanged: not changed' });
  });

  it('copies a session whose plans cannot be reached, and reports that', async () => {
    await rename(join(claude, 'plans'), join(home, 'plans'));
    await symlink(join(home, 'plans'), join(claude, 'plans'));
    const reason = 'copied, without plans, a link or a device';
    expect(await backUp()).toEqual({ [OWN]: `backup: ${reason}` });
  });

  it('reports why sessions behind a link are not copied, whatever of theirs is beside that', async () => {
    await rename(join(claude, 'projects'), join(home, 'data'));
    await symlink(join(home, 'data'), join(claude, 'projects'));
    await writeFiles(claude, { [`file-history/${OWN}/a1b2@v1`]: 'x' });
    const { exitCode, err } = await run(['export', '--as', 'archive', '--out', 'bk']);
    expect([exitCode, err]).toEqual([
      3,
      expect.stringContaining('not copied: projects is a link or a device'),
    ]);
  });
});

describe('a plan of several sessions', () => {
  beforeEach(async () => {
    await writeFile(session(OTHER), toLines(OTHER, 'calm-fox'));
    await settle();
  });

  it('is copied with each of them, and the newest is restored', async () => {
    await backUp();
    await rm(session(OWN));
    await writeFile(plan(), '# As it went on');
    await appendFile(session(OTHER), toLines(OTHER, 'calm-fox').replace(OTHER, 'c'));
    expect(await backUp(NOW + DAY)).toEqual({ [OTHER]: 'backup: copied' });
    await rm(claude, { recursive: true });
    await mkdir(join(claude, 'projects'), { recursive: true });
    const { exitCode, err, actions } = await restore('all');
    expect(await readFile(plan(), 'utf8')).toBe('# As it went on');
    expect(actions).toEqual({
      [OWN]: `restore: from the archive, without ${PLAN}`,
      [OTHER]: 'restore: from the archive',
    });
    expect(exitCode).toBe(3);
    expect(err).toMatch(/calm-fox\.md: not restored: \S*bbbbbbbb\S* has a newer one/);
  });

  it('is restored with the rest after a run that was stopped', async () => {
    await backUp();
    await rm(session(OWN));
    await writeFile(plan(), '# As it went on');
    await backUp(NOW + DAY);
    await rm(plan());
    await rm(session(OTHER));
    await writeFile(session(OWN), toLines(OWN, 'calm-fox'));
    const { exitCode, actions } = await restore('all');
    expect([exitCode, actions]).toEqual([
      3,
      {
        [OWN]: `unchanged: is there already, without ${PLAN}`,
        [OTHER]: 'restore: from the archive',
      },
    ]);
    expect(await readFile(plan(), 'utf8')).toBe('# As it went on');
  });

  it('is not restored beside a session that went on since it was archived', async () => {
    await backUp();
    await rm(session(OWN));
    await rm(plan());
    await appendFile(session(OTHER), toLines(OTHER, 'calm-fox').replace(OTHER, 'c'));
    const { exitCode, err } = await restore('all');
    expect([exitCode, err]).toEqual([3, expect.stringContaining('another session may name it')]);
    expect(await readdir(join(claude, 'plans'))).not.toContain(PLAN);
  });

  it('is left as it is by a session that comes back later', async () => {
    await backUp();
    await rm(session(OWN));
    await writeFile(plan(), '# As it went on');
    const { exitCode, err, actions } = await restore(OWN);
    expect(actions).toEqual({ [OWN]: `restore: from the archive, without ${PLAN}` });
    expect([exitCode, err]).toEqual([3, expect.stringContaining('another file already exists')]);
    expect(await readFile(plan(), 'utf8')).toBe('# As it went on');
  });

  it('is not restored beside one that names it, and the preview says so where it can', async () => {
    await backUp();
    await rm(session(OWN));
    await rm(plan());
    const preview = await restore(OWN, '--dry-run');
    expect(preview.exitCode).toBe(0);
    const { exitCode, err } = await restore(OWN);
    expect([exitCode, err]).toEqual([3, expect.stringContaining('another session may name it')]);
    expect(await readdir(join(claude, 'plans'))).not.toContain(PLAN);
    expect(await readFile(session(OWN), 'utf8')).toBe(toLines(OWN, 'calm-fox'));
  });
});
