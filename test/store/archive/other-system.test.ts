import { describe, expect, it } from 'vitest';
import { checkManifest, createManifest } from '../../../src/store/archive/member/manifest.ts';
import { findPlace } from '../../../src/store/archive/place.ts';

const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
const ITEM = { mode: 0o600, mtimeMs: 1 };

/** What coppice on Windows says of a session of Claude Code, whose sidecars lie beside the store, too. */
function makeManifest(store: string, agent = 'claude-code') {
  const home = store.replace(/[\\/]projects$/, '');
  const separator = store.includes('\\') ? '\\' : '/';
  const isPlain = agent === 'pi';
  const name = isPlain ? `${ID}.jsonl` : `projects/C--src/${ID}.jsonl`;
  return createManifest({
    agent,
    id: ID,
    cwd: 'C:\\src',
    title: '',
    lastActive: '2026-01-01T00:00:00.000Z',
    path: [store, 'C--src', `${ID}.jsonl`].join(separator),
    store,
    ...(!isPlain && { root: home }),
    files: [{ ...ITEM, name, size: 0, sha256: '0'.repeat(64) }],
    directories: [],
  });
}

describe('an archive of Windows', () => {
  it.each(['C:\\Users\\me\\.claude\\projects', '\\\\server\\share\\.claude\\projects'])(
    'from %s is put into the store that is named, with what lay beside it',
    (store) => {
      const manifest = checkManifest(makeManifest(store), 'a');
      expect(manifest).toEqual(makeManifest(store));
      expect(findPlace(manifest, { store: '/home/me/.claude/projects' })).toEqual({
        base: '/home/me/.claude/projects',
        path: `/home/me/.claude/projects/C--src/${ID}.jsonl`,
        root: '/home/me/.claude',
      });
      expect(findPlace(manifest, { store: '/s' })).toEqual({
        base: '/s',
        path: `/s/projects/C--src/${ID}.jsonl`,
        root: '/s',
      });
    },
  );

  it('has no place of its own here, whatever stores there are', () => {
    const manifest = checkManifest(makeManifest('C:\\sessions', 'pi'), 'a');
    const own = { ownStores: ['/', '/C:/sessions', 'C:\\other'] };
    expect(() => findPlace(manifest, own)).toThrow('is outside of the agents');
    expect(findPlace(manifest, { store: '/s' }).path).toBe(`/s/C--src/${ID}.jsonl`);
  });

  it.each([
    ['C:\\sessions\\..\\x', 'C:\\sessions\\..\\x\\a.jsonl'],
    ['C:\\sessions', 'C:\\sessions\\..\\a.jsonl'],
    ['C:\\sessions', 'D:\\sessions\\a.jsonl'],
    ['C:\\sessions', '/sessions/a.jsonl'],
  ])('is refused where its path leads elsewhere: %s, %s', (store, path) => {
    const manifest = { ...makeManifest('C:\\sessions', 'pi'), store, path };
    expect(() => checkManifest(manifest, 'a')).toThrow('a path that leads elsewhere');
  });
});
