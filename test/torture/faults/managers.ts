import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { FileError, SessionManager } from '../../../src/index.ts';
import { createIds, NOW, type TestRun } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { assistant } from '../../session-lines.ts';
import { toJsonl } from '../../temp-dir.ts';
import { toFiles } from './sandbox.ts';
import type { Scenario } from './walk.ts';

const OLD = fileURLToPath(
  new URL('../../fixtures/recorded/0.30.2-two-compactions.jsonl', import.meta.url),
);
const ANSWER = assistant('An answer from the library.');

/** Opens a session and appends an answer, unless it is there: what a program does with the library. */
function append(root: string, name: string): TestRun {
  const world = { createId: createIds(), now: () => NOW, agentDir: root };
  try {
    const manager = SessionManager.open(join(root, name), root, root, { world });
    const isThere = JSON.stringify(manager.getEntries()).includes('An answer from the library.');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a message as pi has it
    if (!isThere) manager.appendMessage(ANSWER as Parameters<SessionManager['appendMessage']>[0]);
    return { exitCode: 0, out: '', err: '', bytes: Buffer.alloc(0) };
  } catch (error) {
    const isTold = error instanceof FileError;
    const err = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { exitCode: isTold ? 3 : 70, out: '', err, bytes: Buffer.alloc(0) };
  }
}

function toScenario(name: string, text: string | undefined): Scenario {
  return {
    name: `SessionManager: ${name}`,
    files: toFiles(text === undefined ? {} : { 's.jsonl': text }),
    run: (root) => Promise.resolve(append(root, 's.jsonl')),
    appends: true,
    leavesTemporary: true,
  };
}

/** The library's own way of writing: no call of it can wait. */
export const MANAGERS: readonly Scenario[] = [
  toScenario('append', toJsonl(sampleSession())),
  toScenario('append to a torn file', `${toJsonl(sampleSession())}{"torn`),
  toScenario('append to an old version', readFileSync(OLD, 'latin1')),
  toScenario('create', undefined),
];
