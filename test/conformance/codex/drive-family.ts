import type { AppServer, Codex, Thread } from './client.ts';
import { CodexError } from './client.ts';
import { PNG, count, say } from './answers.ts';

/** A thread, and all that go on from it. */
export interface Family {
  readonly parent: string;
  /** Those that go on from a byte of it. */
  readonly children: readonly string[];
  readonly all: readonly string[];
  /** Turns of the parent, oldest first. */
  readonly turns: readonly string[];
}

/** A thread with compactions, with forks from several places of it, and forks of these. */
export async function driveFamily(client: Codex, home: string): Promise<Family> {
  const server = await client.start(home);
  const params = { cwd: server.cwd, historyMode: 'paginated' };
  const { thread } = await server.call<{ thread: Thread }>('thread/start', params);
  const parent = thread.id;
  const turns: string[] = [];
  const turn = async (text: string) => turns.push((await server.turn(parent, text, count())).id);
  await turn('Count');
  await server.compact(parent, say('They count.'));
  await turn('Count on');
  await server.compact(parent, say('They counted.'));
  await turn('Count again');
  const early = await fork(server, parent);
  await server.compact(parent, say('They counted twice.'));
  turns.push((await server.picture(parent, 'Look', PNG)).id);
  await turn('Count once more');
  const late = await fork(server, parent);
  const grandchild = await fork(server, late);
  await server.compact(parent, say('They counted three times.'));
  await turn('Count at last');
  const end = await fork(server, parent);
  await server.stop();
  const children = [early, late, end];
  return { parent, children, all: [grandchild, ...children, parent], turns };
}

async function fork(server: AppServer, threadId: string): Promise<string> {
  const { thread } = await server.call<{ thread: Thread }>('thread/fork', { threadId });
  await server.turn(thread.id, 'In the fork', count());
  return thread.id;
}

export interface Shown {
  readonly path: string;
  readonly preview: string;
  readonly turns: readonly unknown[];
  readonly sent: readonly unknown[];
}

/**
 * What the client shows and sends of each thread where it opens only that one; the home is as it was
 * afterwards, but for times.
 */
export async function askAlone(
  client: Codex,
  home: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Shown>> {
  const told = new Map<string, Shown>();
  for (const id of ids) {
    const copy = client.keepHome(home);
    const server = await client.start(home);
    try {
      const { turns, path, preview } = await server.resume({ threadId: id });
      const input = await server.probe(id);
      const sent = input.map(({ id: _id, ...item }) => item);
      told.set(id, { path, preview, turns, sent });
    } catch (error) {
      if (!(error instanceof CodexError)) throw error;
      told.set(id, { path: '', preview: '', turns: [error.message], sent: [] });
    } finally {
      await server.stop();
      copy.putBack();
    }
  }
  return told;
}
