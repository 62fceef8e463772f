import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { refuseSessionFolder } from '../../../src/store/sessions/refuse-session-folder.ts';
import { makeTempDir } from '../../temp-dir.ts';

const ID = '01a1fff1-b3d6-7010-83a9-9f74645e34be';
const ROLLOUT = `rollout-2026-11-21T21-09-37-${ID}`;

it.each([
  `.claude/projects/-w/${ID}`,
  `.claude/projects/-w/${ID}/subagents/old`,
  `.claude/file-history/${ID}/old`,
  `.claude/image-cache/${ID}`,
  '.neovate/file-history/0123abcd',
  `.codex/generated_images/${ID}/old`,
  `.codex/sessions/2026/11/21/${ROLLOUT}`,
  `.codex/archived_sessions/${ROLLOUT}/old`,
])('a directory is of a session that is gone, or elsewhere: %s', async (name) => {
  const path = join(await makeTempDir(), name);
  await expect(refuseSessionFolder(path, '--out')).rejects.toThrow('--out: is in the folder of');
});

it.each([
  '.claude/projects/-w/memory',
  '.claude/projects/-w/archive',
  `.claude/archive/${ID}`,
  ID,
  '.neovate/projects/-w/requests',
  `ci/tasks/${ID}/out`,
  `projects/app/${ID}/out`,
  '.codex/archived_sessions/mine',
  '2026-01-01T10-00-00_backup',
])('a directory is of no session: %s', async (name) => {
  const path = join(await makeTempDir(), name);
  await expect(refuseSessionFolder(path, '--out')).resolves.toBeUndefined();
});

it('a link does not hide the directory of a session', async () => {
  const dir = await makeTempDir();
  const folder = join(dir, `.claude/projects/-w/${ID}`);
  await mkdir(folder, { recursive: true });
  await symlink(folder, join(dir, 'mine'), 'junction');
  await expect(refuseSessionFolder(join(dir, 'mine/old'), '--out')).rejects.toThrow(folder);
});
