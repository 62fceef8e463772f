import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { getRecorded, placeIn } from '../../session/agents/codex/corpus.ts';
import { runTest } from '../../memory-terminal.ts';
import { migrateSession } from '../../../src/session/migrate/migrate-session.ts';
import { createRowMover } from '../../../src/store/database/move-rows.ts';
import { openRunSources } from '../../../src/store/database/read-records.ts';
import { createNeighbourhood } from '../../../src/store/sessions/neighbourhood.ts';
import { openWritable } from '../../store/database/open-writable.ts';
import { Codex, type Thread } from './client.ts';
import { keepRecorded, readStore } from './sent.ts';

let client: Codex;

beforeAll(() => {
  client = new Codex();
});
afterAll(() => client.close());

const migrate = (home: string, ...argv: readonly string[]) =>
  runTest(['migrate', '--apply', '--grace', '0s', ...argv], { home, cwd: home });

const getId = (name: string): string => (getRecorded(name).resume as { readonly id: string }).id;

describe.concurrent('the client knows a migrated thread', () => {
  it('that was from before 0.40', async () => {
    const home = client.makeHome();
    const path = await placeIn(home, getRecorded('era-0.20'));
    const { messages } = await readContext(path);
    const { exitCode } = await migrate(home, path, '--assume-cwd', home);
    expect(exitCode).toBe(0);
    const text = readStore(home);
    const server = await client.start(home);
    const [listed] = await server.list();
    expect(listed).toMatchObject({ cwd: home, preview: 'List the files' });
    const { id, turns } = await server.resume({ threadId: listed?.id ?? '' });
    const shown = turns.map(({ items }) => items.map(({ type }) => type));
    expect(shown).toEqual([
      ['userMessage', 'agentMessage'],
      ['userMessage', 'agentMessage'],
    ]);
    const sent = keepRecorded(await server.probe(id), text);
    const withoutIds = ({ content, output, type, ...item }: Readonly<Record<string, unknown>>) => ({
      type,
      role: item['role'],
      content: content ?? null,
      output,
    });
    expect(sent.map(withoutIds)).toEqual(messages.map(withoutIds));
    await server.stop();
  });

  it.each(['legacy-linear', 'linear-tools', 'model-and-cwd-switch', 'era-0.130', 'era-0.40'])(
    'whose project has moved: %s',
    async (name) => {
      const home = client.makeHome();
      const path = await placeIn(home, getRecorded(name));
      const { messages } = await readContext(path);
      const { mtimeMs } = statSync(path);
      const { out, exitCode } = await migrate(home, path, '--cwd', `/home/u2=${home}`);
      expect({ out, exitCode }).toMatchObject({ exitCode: 0 });
      expect(Math.round(statSync(path).mtimeMs)).toBe(Math.round(mtimeMs));
      expect((await readContext(path)).messages).toEqual(messages);
      const text = readFileSync(path, 'utf8');
      const server = await client.start(home);
      const cwd = expect.stringContaining(home) as string;
      expect(await server.list()).toMatchObject([{ cwd }]);
      expect(await server.resume({ threadId: getId(name) })).toMatchObject({ cwd });
      expect(keepRecorded(await server.probe(getId(name)), text)).toEqual(messages);
      await server.stop();
    },
  );

  it.each(['legacy-linear', 'linear-tools'])(
    'whose project has moved, with its rows: %s',
    async (name) => {
      const home = client.makeHome();
      const path = await placeIn(home, getRecorded(name));
      const before = await client.start(home);
      const shown = await before.resume({ threadId: getId(name) });
      await before.stop();
      const [from, to] = ['/home/u2', home];
      const relocation = {
        changes: {},
        move: { from, to },
        moveTo: undefined,
        reasons: [],
        obstacle: undefined,
        around: createNeighbourhood(Date.now()),
      };
      const moved = await migrateSession(path, {
        apply: true,
        findUse: () => undefined,
        relocation,
        moveRows: createRowMover(openWritable),
        sources: openRunSources({}),
      });
      expect(moved).toMatchObject({ action: 'relocate' });
      const server = await client.start(home);
      const cwd = `${home}/demo-project`;
      expect(await server.list()).toMatchObject([{ cwd }]);
      const { turns } = await server.resume({ threadId: getId(name) });
      expect(turns).toEqual(shown.turns);
      await server.turn(getId(name), 'Go on');
      const read = { threadId: getId(name), includeTurns: true };
      const { thread } = await server.call<{ thread: Thread }>('thread/read', read);
      expect(thread.turns).toHaveLength(turns.length + 1);
      expect(thread).toMatchObject({ cwd });
      await server.stop();
    },
  );
});
