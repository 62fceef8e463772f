import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { placeIn, RECORDED, type Recorded } from '../../session/agents/codex/corpus.ts';
import { Codex, CodexError, type AppServer } from './client.ts';
import { keepRecorded, readStore } from './sent.ts';

let client: Codex;

beforeAll(() => {
  client = new Codex();
});
afterAll(() => client.close());

interface Answers {
  readonly by?: 'path';
  readonly list: readonly {
    readonly id: string;
    readonly path: string;
    readonly preview: string;
  }[];
  readonly warmed?: readonly string[];
  readonly resume: { readonly id?: string; readonly error?: unknown };
}

/** Opens what the corpus says was opened, and asks for its context. */
async function open(server: AppServer, answers: Answers, path: string) {
  const threadId = answers.resume.id ?? '';
  try {
    for (const parent of answers.warmed ?? []) await server.resume({ threadId: parent });
    await server.resume({ threadId, ...(answers.by === 'path' && { path }) });
    return await server.probe(threadId);
  } catch (error) {
    if (error instanceof CodexError) return undefined;
    throw error;
  }
}

const toName = ({ id, path, preview }: Answers['list'][number]) => ({
  id,
  preview,
  file: basename(path),
});

describe.concurrent('the client lists and opens what was recorded, and sends what we say', () => {
  it.each(RECORDED.map((recorded) => [recorded.name, recorded] as const))(
    '%s',
    async (_, recorded: Recorded) => {
      const home = client.makeHome();
      const path = await placeIn(home, recorded);
      const before = readFileSync(path);
      const text = readStore(home);
      const ours = await readContext(path).catch(() => undefined);
      const server = await client.start(home);
      const listed = await server.list();
      const answers = recorded as unknown as Answers;
      const input = await open(server, answers, path);
      await server.stop();
      const byFile = (one: { file: string }, other: { file: string }): number =>
        one.file < other.file ? -1 : 1;
      expect(listed.map(toName).toSorted(byFile)).toEqual(
        answers.list.map(toName).toSorted(byFile),
      );
      expect(readFileSync(path).subarray(0, before.length).equals(before)).toBe(true);
      expect(input === undefined).toBe(recorded.input === undefined);
      if (!input || !recorded.input) return;
      expect(keepRecorded(input, text)).toEqual(keepRecorded(recorded.input, text));
      expect(ours?.messages).toEqual(keepRecorded(input, text));
    },
  );
});
