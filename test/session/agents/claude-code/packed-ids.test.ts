import { expect, it } from 'vitest';
import { getDialect } from '../../../../src/session/agents/index.ts';

const ID = 'aaaaaaaa-0000-4000-8000-000000000001';

function listPackedIds(name: string): readonly string[] {
  const path = `/home/u/.claude/projects/-w-api/${ID}.jsonl`;
  const [shared] = getDialect('claude-code').sidecars?.listShared?.(path) ?? [];
  if (!shared) throw new Error('a session of Claude Code shares sidecars');
  return shared.sharedBy.listPackedIds(name);
}

it.each([`${ID}.jsonl.gz`, `old-${ID}.jsonl.zst`, `${ID.toUpperCase()}-old.JSONL.xz`])(
  'takes a compressed file for that of the session in its name: %s',
  (name) => {
    expect(listPackedIds(name)).toEqual([ID]);
  },
);

it.each([`Backup-${ID}.tar.gz`, `${ID}.zip`, 'old.jsonl.gz'])(
  'takes a compressed file for one that may hold any session: %s',
  (name) => {
    expect(listPackedIds(name)).toEqual([]);
  },
);
