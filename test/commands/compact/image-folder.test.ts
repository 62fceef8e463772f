import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  ['memory', 'skip'],
  ['mine', 'reduce'],
])('compact puts no image into a folder of the agent: %s.jsonl', async (id, action) => {
  const home = await makeTempDir();
  const project = join(home, '.claude/projects/-w');
  const text = `${JSON.stringify({ ...LINE, sessionId: id })}\n`;
  await writeFiles(project, {
    [`${id}.jsonl`]: text,
    'memory/MEMORY.md': 'the memory of a project',
  });
  const path = join(project, `${id}.jsonl`);
  await makeOld([path]);
  const argv = ['compact', path, '--images', 'extract', '--apply', '--json'];
  const { out } = await runTest(argv, { home, cwd: home });
  expect(JSON.parse(out)).toMatchObject({ results: [{ action }] });
  expect(existsSync(join(project, id, 'MEMORY.md'))).toBe(id === 'memory');
  expect(readFileSync(path, 'utf8') === text).toBe(id === 'memory');
});
