import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { toSent } from '../../../src/session/agents/claude-code/context/to-sent.ts';
import { readContext } from '../../../src/session/read/read-context.ts';
import { fixSession } from '../../../src/session/validate/fix-session.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { SEED } from '../../harness/runs.ts';
import { describeSent } from '../../session/agents/claude-code/asked.ts';
import type { ContextMessage } from './sent.ts';
import { growSession } from './trees.ts';
import { useClient } from './use-client.ts';

const COUNT = process.env['COPPICE_LONG'] === '1' ? 400 : 24;
const SEEDS = Array.from({ length: COUNT }, (_, index) => SEED + index);

const { client, dir } = useClient();

/** What the client says in place of what is not there. */
const STOPGAP = /^\(no content\)$|^\[(Tool|Orphaned)/;

/** Every text, call and result; without blank texts, and calls at the end that were interrupted. */
function listWords(context: readonly ContextMessage[]): readonly string[] {
  const blocks = context.flatMap(({ role, blocks: all }) => all.map((block) => ({ role, block })));
  const isStopgap = ({ text }: JsonObject): boolean =>
    typeof text === 'string' && STOPGAP.test(text);
  const lost = new Set(
    blocks.flatMap(({ block }) => (isStopgap(block) ? (block['toolCallId'] ?? []) : [])),
  );
  return blocks
    .filter(({ block }) => !isStopgap(block) && !lost.has(block['id'] ?? ''))
    .map(({ role, block }) =>
      describeSent([{ role, blocks: [block] }])
        .join('')
        .trimEnd(),
    )
    .filter((words) => words.length > 1);
}

/** Undefined for a session that the client does not open. */
async function readSent(path: string): Promise<readonly string[] | undefined> {
  try {
    return describeSent(toSent((await readContext(path)).messages));
  } catch (error) {
    if (error instanceof FileError && error.code === 'session-unusable') return undefined;
    throw error;
  }
}

describe.concurrent('a random session, whole or damaged', () => {
  it.each(SEEDS)(
    'is sent as the client sends it, and no less once it is repaired: %i',
    async (seed) => {
      const path = join(dir, `${seed}.jsonl`);
      await writeFile(path, growSession(seed));
      const before = await client.resume(path);
      expect(await readSent(path)).toEqual(before.context && describeSent(before.context));
      const fixed = await fixSession(path, { levels: new Map(), dryRun: false, now: () => 0 });
      if (fixed?.action !== 'fix') return;
      const after = await client.resume(path);
      expect(listWords(after.context ?? [])).toEqual(
        expect.arrayContaining([...listWords(before.context ?? [])]),
      );
    },
  );
});
