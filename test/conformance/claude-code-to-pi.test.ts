import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toSent } from '../../src/session/agents/claude-code/context/to-sent.ts';
import type { SentBlock } from '../../src/session/model/text/sent-message.ts';
import { readContext } from '../../src/session/read/read-context.ts';
import { validateSession } from '../../src/session/validate/validate-session.ts';
import { runTest } from '../memory-terminal.ts';
import { makeTempDir } from '../temp-dir.ts';
import { CORPUS } from './claude-code/corpus.ts';
import { Reference } from './reference.ts';

let reference: Reference;

beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

/** Undefined where there is nothing to carry over. */
async function migrate(path: string): Promise<string | undefined> {
  const out = await makeTempDir();
  const argv = ['migrate', path, '--to', 'pi', '--out', out, '--apply'];
  const { exitCode, err } = await runTest(argv, { cwd: '/srv/work' });
  if (exitCode !== 0) throw new Error(err);
  const [project] = await readdir(out);
  if (project === undefined) return undefined;
  const [file = ''] = await readdir(join(out, project));
  return join(out, project, file);
}

/** What the client says in place of what is not there, and around what was typed during a turn. */
const STOPGAP = /^\(no content\)$|^\[(Tool|Orphaned)/;
const QUEUED = /^The user sent a new message while you were working:\n([^]*?)\n\nThis is how/;

function toWords(text: string): readonly string[] {
  const plain = (QUEUED.exec(text)?.[1] ?? text).trim();
  return plain === '' || STOPGAP.test(plain) ? [] : plain.split('\n');
}

function listSent(block: SentBlock): readonly string[] {
  switch (block.type) {
    case 'toolCall':
      return [`call ${block.id}`];
    case 'toolResult':
      return STOPGAP.test(block.text) ? [] : [`result ${block.toolCallId}`, ...toWords(block.text)];
    case 'image':
      return ['image'];
    default:
      return toWords(block.text);
  }
}

interface PiMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly summary?: string;
  readonly toolCallId?: string;
}

interface PiBlock {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly id?: string;
}

function listOfPi({ role, content, summary, toolCallId }: PiMessage): readonly string[] {
  if (role === 'compactionSummary') return toWords(summary ?? '');
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const words = (blocks as readonly PiBlock[]).flatMap(({ type, text, thinking, id }) => {
    if (type === 'toolCall') return [`call ${id}`];
    return type === 'image' ? ['image'] : toWords(text ?? thinking ?? '');
  });
  return role === 'toolResult' ? [`result ${toolCallId}`, ...words] : words;
}

/** The messages that pi sends; the file is healthy. */
async function askPi(path: string): Promise<readonly PiMessage[]> {
  const { context } = await reference.ask({ ask: 'session', path });
  const validation = await validateSession(path, { levels: new Map() });
  const errors = validation?.findings.filter(({ level }) => level === 'error') ?? [];
  // Results without a call stay so.
  const others = errors.filter(({ rule }) => rule !== 'tool-result-orphan');
  if (others.length > 0) throw new Error(JSON.stringify(others));
  return context.messages as unknown as readonly PiMessage[];
}

async function listOfClient(path: string): Promise<readonly string[]> {
  const { messages } = await readContext(path);
  return toSent(messages).flatMap(({ blocks }) => blocks.flatMap(listSent));
}

/** What the client leaves out at the moment of sending, as pi does; the file keeps it. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  'made-open-tool-call-mid': ['call toolu_x1'],
  'made-result-without-call': ['result toolu_zz', 'ghost'],
  // A thought of a model that is no longer offered.
  'recorded-1.0.59-resumed-sidechain-inline': ['I should look at the files.'],
};

describe('a session of Claude Code that was migrated to pi', () => {
  it.each(CORPUS)('opens in pi and says what the client would send: $name', async (recorded) => {
    const { name, path } = recorded;
    const kept = KEPT[name] ?? [];
    const expected = await listOfClient(path).catch(() => []);
    const migrated = await migrate(path);
    const messages = migrated === undefined ? [] : await askPi(migrated);
    const words = messages.flatMap(listOfPi);
    expect(words).toEqual(expect.arrayContaining([...kept]));
    expect(words.filter((word) => !kept.includes(word))).toEqual(expected);
  });
});
