import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { summarizeSession } from '../../src/session/read/summaries/summarize-session.ts';
import { toJsonl } from '../temp-dir.ts';
import { type ListedSession, Reference } from './reference.ts';
import { copyFlat, findSessionFiles } from './session-files.ts';

const dir = mkdtempSync(join(tmpdir(), 'coppice-list-'));
const HEADER = {
  type: 'session',
  version: 3,
  id: 's',
  timestamp: '2026-01-01T00:00:00.000Z',
  cwd: '/a',
};
const USER = { role: 'user', content: 'hello', timestamp: 1767225600000 };

/** Files that pi lists otherwise than it opens them, each for a defect of its own listing. */
const KNOWN_DEFECTS: Readonly<Record<string, { lines: readonly object[]; because: string }>> = {
  'u2028.jsonl': {
    lines: [HEADER, message('m1', null, { ...USER, content: 'a\u2028b' })],
    because: 'its listing reads with node:readline, which on Node 24 splits at U+2028',
  },
  'null-content.jsonl': {
    lines: [
      HEADER,
      message('m1', null, USER),
      message('m2', 'm1', { role: 'assistant', content: null }),
    ],
    because: 'one message without content makes it drop the whole session',
  },
};

function message(id: string, parentId: string | null, body: object): object {
  return { type: 'message', id, parentId, timestamp: '2026-01-01T00:00:00.000Z', message: body };
}

let reference: Reference;
let listed: ReadonlyMap<string, ListedSession>;

beforeAll(async () => {
  reference = new Reference();
  copyFlat(findSessionFiles(), dir);
  for (const [name, { lines }] of Object.entries(KNOWN_DEFECTS)) {
    writeFileSync(join(dir, name), toJsonl(lines).replaceAll('\\u2028', '\u2028'));
  }
  const answer = await reference.ask({ ask: 'list', dir });
  listed = new Map(answer.map((session) => [basename(session.path), session]));
});

afterAll(async () => {
  await reference.close();
  rmSync(dir, { recursive: true });
});

/** Both in one shape; what pi has undefined or invalid is null. */
function toComparable(session: ListedSession): object {
  const { id = '', name = null, parentSessionPath = null } = session;
  const { cwd, created, modified, messageCount, firstMessage } = session;
  return { id, cwd, name, created, modified, messageCount, firstMessage, parentSessionPath };
}

async function summarize(name: string): Promise<object> {
  const summary = await summarizeSession(join(dir, name), { usage: false });
  if (!('path' in summary)) throw new Error(`${name}: ${summary.problem.message}`);
  const { id, cwd, name: title, created, modified } = summary;
  const { messageCount, firstMessage, parentSessionPath } = summary;
  return { id, cwd, name: title, created, modified, messageCount, firstMessage, parentSessionPath };
}

describe("list answers as pi's own listing", () => {
  it.each(findSessionFiles().map((path) => basename(path)))('%s', async (name) => {
    const theirs = listed.get(name);
    const ours = await summarize(name);
    const isEqual = isDeepStrictEqual(ours, theirs && toComparable(theirs));
    // Not listed, or torn apart, for one of the defects below.
    const isDefect = theirs ? hasSeparator(name) : await hasMessageWithoutContent(name);
    expect({ ours, isEqual }).toEqual({
      ours: isDefect ? ours : theirs && toComparable(theirs),
      isEqual: !isDefect,
    });
  });

  it.each(Object.entries(KNOWN_DEFECTS))('but not its defect: %s', async (name, { lines }) => {
    const ours = await summarize(name);
    expect(ours).toMatchObject({ id: 's', messageCount: lines.length - 1 });
    const theirs = listed.get(name);
    expect(theirs && toComparable(theirs)).not.toEqual(ours);
  });
});

function hasSeparator(name: string): boolean {
  return readFileSync(join(dir, name), 'utf8').includes('\u2028');
}

async function hasMessageWithoutContent(name: string): Promise<boolean> {
  const opened = await reference.ask({ ask: 'session', path: join(dir, name) });
  return opened.context.messages.some((one) => JSON.stringify(one).includes('"content":[]'));
}
