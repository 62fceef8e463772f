import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeOld, makeTempDir, writeFiles } from '../../temp-dir.ts';

const IMAGE = {
  type: 'base64',
  media_type: 'image/png',
  data: Buffer.alloc(900, 1).toString('base64'),
};
const LINE = {
  type: 'user',
  uuid: 'u1',
  parentUuid: null,
  isSidechain: false,
  cwd: '/w',
  timestamp: '2026-01-03T10:00:00.000Z',
  message: { role: 'user', content: [{ type: 'image', source: IMAGE }] },
};

it.each([
  ['memory', 'skip', 'memory/MEMORY.md'],
  ['work', 'skip', 'work/thesis.tex'],
  ['mine', 'reduce', 'mine/another.png'],
  ['0a1b2c3d-0000-4000-8000-000000000001', 'reduce', '0a1b2c3d-0000-4000-8000-000000000001/1.txt'],
])('compact puts no image into a folder of others: %s.jsonl', async (id, action, other) => {
  const home = await makeTempDir();
  const project = join(home, '.claude/projects/-w');
  const text = `${JSON.stringify({ ...LINE, sessionId: id })}\n`;
  await writeFiles(project, {
    [`${id}.jsonl`]: text,
    [other]: 'was there',
  });
  const path = join(project, `${id}.jsonl`);
  await makeOld([path]);
  const argv = ['compact', path, '--images', 'extract', '--apply', '--json'];
  const { out } = await runTest(argv, { home, cwd: home });
  expect(JSON.parse(out)).toMatchObject({ results: [{ action }] });
  expect(readdirSync(join(project, id))).toHaveLength(action === 'skip' ? 1 : 2);
  expect(readFileSync(path, 'utf8') === text).toBe(action === 'skip');
});

const SESSIONS = '.pi/agent/sessions';
const PI_IMAGE = { type: 'image', data: IMAGE.data, mimeType: IMAGE.media_type };
const PI_LINES = [
  { type: 'session', version: 3, id: 's', timestamp: LINE.timestamp, cwd: '/w' },
  {
    type: 'message',
    id: 'a',
    parentId: null,
    timestamp: LINE.timestamp,
    message: { role: 'user', content: [PI_IMAGE] },
  },
];
const NEOVATE_LINE = {
  type: 'message',
  uuid: 'u1',
  parentUuid: null,
  sessionId: '0a1b2c3d',
  timestamp: LINE.timestamp,
  role: 'user',
  content: [{ ...PI_IMAGE, data: `data:image/png;base64,${IMAGE.data}` }],
};
const ID = '0a1b2c3d-0000-4000-8000-000000000001';

it.each([
  [`.claude/projects/-w/${ID}.jsonl`, [{ ...LINE, sessionId: ID }]],
  [`${SESSIONS}/--w--/1.jsonl`, PI_LINES],
  ['.neovate/projects/w/0a1b2c3d.jsonl', [NEOVATE_LINE]],
])('compact restores the images of a fork in another project: %s', async (name, lines) => {
  const home = await makeTempDir();
  await writeFiles(home, { [name]: lines });
  const path = join(home, name);
  await makeOld([path]);
  const run = async (...argv: readonly string[]) => {
    const { out, err } = await runTest([...argv, '--json'], { home, cwd: home });
    return (JSON.parse(out || err) as { results: readonly { path: string }[] }).results;
  };
  expect(await run('compact', path, '--images', 'extract', '--apply')).toMatchObject([
    { action: 'reduce' },
  ]);
  const places = [['--cwd', '/elsewhere'], ...(name.startsWith('.pi') ? [['--out', 'out']] : [])];
  for (const place of places) {
    const [fork] = await run('fork', path, '--whole', ...place);
    const argv = ['--images', 'restore', '--apply', '--grace', '0s'];
    expect(await run('compact', String(fork?.path), ...argv)).toMatchObject([
      { action: 'restore' },
    ]);
  }
});

it.each(['--home-u-w--', '-w'])(
  'compact restores the images of a fork in another project of a store that was moved: %s',
  async (project) => {
    const home = await makeTempDir();
    const [header, ...entries] = PI_LINES;
    const lines = [{ ...header, cwd: '/home/u/w' }, ...entries];
    const path = join(home, 'store', project, '1.jsonl');
    await writeFiles(dirname(path), { '1.jsonl': lines });
    await makeOld([path]);
    const run = (...argv: readonly string[]) => runTest(argv, { home, cwd: home });
    await run('compact', path, '--images', 'extract', '--apply');
    const fork = (await run('fork', path, '--cwd', '/home/u/elsewhere')).out.trim();
    renameSync(join(home, 'store'), join(home, 'moved'));
    const moved = join(home, 'moved', relative(join(home, 'store'), fork));
    const { out } = await run('compact', moved, '--images', 'restore', '--apply', '--grace', '0s');
    expect(out).toContain('Restored 1 of 1 session');
  },
);
