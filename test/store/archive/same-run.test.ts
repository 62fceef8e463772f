import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { requireOwnSidecars } from '../../../src/store/archive/member/require-own-sidecars.ts';
import { createRestoreStores } from '../../../src/store/archive/member/restore-stores.ts';
import type { Unpacked } from '../../../src/store/archive/member/unpacked.ts';
import { getRealPath } from '../../../src/store/files/stat-file.ts';
import { Survey } from '../../../src/store/sessions/sidecars/survey.ts';
import { makeTempDir } from '../../temp-dir.ts';

const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
const FORK = 'bbbbbbbb-0000-4000-8000-000000000002';

function toLines(sessionId: string): string {
  const message = { role: 'user', content: 'Go on.' };
  const line = { type: 'user', message, uuid: sessionId, parentUuid: null, sessionId };
  const facts = { timestamp: '2026-06-01T10:00:00.000Z', cwd: '/w', version: '2.1.332' };
  return `${JSON.stringify({ ...line, ...facts, isSidechain: false, slug: 'calm-fox' })}\n`;
}

/** A session with a plan that a fork of it names, too, which is there. */
async function unpack() {
  const root = join(await makeTempDir(), '.claude');
  const place = { path: join(root, 'projects/-w', `${ID}.jsonl`), root };
  const fork = join(dirname(place.path), `${FORK}.jsonl`);
  const [session, plan] = [join(root, 'session'), join(root, 'plan')];
  await mkdir(dirname(place.path), { recursive: true });
  await writeFile(session, toLines(ID));
  await writeFile(plan, 'A plan.');
  await writeFile(fork, toLines(FORK));
  const files = [{ name: `projects/-w/${ID}.jsonl` }, { name: 'plans/calm-fox.md' }];
  const temps = new Map([session, plan].map((path, at) => [files[at], path]));
  const manifest = { agent: 'claude-code', id: ID, files, directories: [] };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is looked at
  const unpacked = { member: 'member', manifest, place, temps } as unknown as Unpacked;
  return { unpacked, fork };
}

it('a plan is left out which a session names that was there', async () => {
  const { unpacked } = await unpack();
  const left = await requireOwnSidecars(unpacked, createRestoreStores());
  expect(left).toEqual([{ name: 'plans/calm-fox.md' }]);
});

it('a session that gets its name while the stores are searched is one of this run', async () => {
  const { unpacked, fork } = await unpack();
  const around = createRestoreStores();
  class Searched extends Survey {
    #count = 0;

    override listStores(...args: Parameters<Survey['listStores']>): readonly string[] {
      this.#count += 1;
      // First for sessions of the same id, then for those that name the plan.
      if (this.#count === 2) queueMicrotask(() => around.restored.add(getRealPath(fork)));
      return super.listStores(...args);
    }
  }
  expect(await requireOwnSidecars(unpacked, { ...around, survey: new Searched() })).toEqual([]);
  expect(around.restored.size).toBe(1);
});
