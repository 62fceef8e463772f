import { cpSync, renameSync, rmSync } from 'node:fs';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import type { Codex, Thread } from './client.ts';
import { CodexError } from './client.ts';
import { keepRecorded, readStore } from './sent.ts';

/** What the client lists, shows and sends, thread by thread. */
export interface Answers {
  readonly listed: readonly Thread[];
  readonly archived: readonly Thread[];
  /** By id: the turns that are shown and the items that are sent, or why the thread is not opened. */
  readonly threads: ReadonlyMap<string, Opened | string>;
}

interface Opened {
  readonly turns: readonly unknown[];
  readonly sent: readonly JsonObject[];
}

/**
 * Asks the client for all that it knows of a home, in which nobody has a thread open; the home is as it
 * was afterwards. Those that are archived are brought back first. `recorded`: the text of all rollouts, to tell what is sent of them from what is new.
 */
export async function askAll(
  client: Codex,
  home: string,
  recorded = readStore(home),
): Promise<Answers> {
  const kept = `${home}.kept`;
  cpSync(home, kept, { recursive: true, preserveTimestamps: true });
  const server = await client.start(home);
  try {
    const listed = await server.list();
    const archived = await server.list(true);
    const threads = new Map<string, Opened | string>();
    for (const { id } of [...listed, ...archived]) {
      try {
        if (archived.some((one) => one.id === id))
          await server.call('thread/unarchive', { threadId: id });
        const { turns } = await server.resume({ threadId: id });
        const sent = keepRecorded(await server.probe(id), recorded);
        threads.set(id, { turns, sent });
      } catch (error) {
        if (!(error instanceof CodexError)) throw error;
        threads.set(id, error.message);
      }
    }
    return { listed, archived, threads };
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
    renameSync(kept, home);
  }
}
