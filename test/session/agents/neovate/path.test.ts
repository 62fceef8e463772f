import { describe, expect, it } from 'vitest';
import { readContext } from '../../../../src/session/read/read-context.ts';
import { readSession } from '../../../../src/session/read/read-session.ts';
import { buildTree, getPath } from '../../../../src/session/model/tree/tree.ts';
import { makeTempDir, writeFiles } from '../../../temp-dir.ts';
import { loadNeovate } from './neovate-loader.ts';
import { getRecorded, NOT_OPENED, OPENED } from './recorded.ts';

async function readPath(path: string): Promise<readonly (string | undefined)[]> {
  const { session } = await readSession(path);
  const tree = buildTree(session.entries, session);
  return getPath(tree, tree.leaf).map(({ id }) => id);
}

describe('the current path of a Neovate session', () => {
  it.each(OPENED)('is what the real loader answered: $name', async ({ path, uuids }) => {
    expect(await readPath(path)).toEqual(uuids);
  });

  it.each(OPENED)('is what our own account of the loader answers: $name', ({ text, uuids }) => {
    expect(loadNeovate(text).map(({ uuid }) => uuid)).toEqual(uuids);
  });

  it.each(NOT_OPENED)('stops where the real loader throws or hangs: $name', ({ text }) => {
    expect(() => loadNeovate(text)).toThrow(/JSON|never returns/);
  });

  it('ends where it would begin again', async () => {
    expect(await readPath(getRecorded('broken-self-parent').path)).toHaveLength(1);
  });

  it('follows the file where a child stands before its parent', async () => {
    const dir = await makeTempDir();
    const message = { type: 'message', role: 'user', content: 'x' };
    const lines = [
      { ...message, uuid: 'b', parentUuid: 'a' },
      { ...message, uuid: 'a', parentUuid: null },
      { ...message, uuid: 'c', parentUuid: 'b' },
      { type: 'snapshot', messageId: 'c', trackedFileBackups: {} },
    ];
    await writeFiles(dir, { 'x.jsonl': lines });
    expect(await readPath(`${dir}/x.jsonl`)).toEqual(['b', 'a', 'c']);
  });

  it('is the context, message for message', async () => {
    const { path, text } = getRecorded('compacted-slash');
    const { messages, model } = await readContext(path);
    expect(messages).toEqual(loadNeovate(text));
    expect(model).toEqual({ provider: 'anthropic', modelId: 'claude-sonnet-4-5-20250929' });
  });
});
