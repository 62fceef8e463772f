import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { SessionManager } from '../../../src/index.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl } from '../../temp-dir.ts';
import { ANSWER, createWorld, QUESTION } from '../conversation.ts';

let dir: string;
let path: string;

beforeEach(async () => {
  dir = await makeTempDir();
  path = join(dir, 's.jsonl');
});

const OLD = fileURLToPath(
  new URL('../../fixtures/recorded/0.30.2-two-compactions.jsonl', import.meta.url),
);

interface Line {
  readonly type: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly version?: number;
}

/** The lines that parse, header first. */
function readLines(): Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line): Line[] => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });
}

/** What appending to `s.jsonl` says. */
function refuse(manager: SessionManager): string {
  const before = existsSync(path) ? readFileSync(path) : undefined;
  const entries = manager.getEntries();
  const leafId = manager.getLeafId();
  let message = '';
  try {
    manager.appendMessage(QUESTION);
  } catch (error) {
    message = error instanceof Error ? error.message : '';
  }
  expect(existsSync(path) ? readFileSync(path) : undefined).toEqual(before);
  expect(manager.getEntries()).toEqual(entries);
  expect(manager.getLeafId()).toBe(leafId);
  return message;
}

describe('a new session', () => {
  it('has no file before something is said', () => {
    const manager = SessionManager.create('/home/dev/orchard', join(dir, 'new'));
    manager.appendModelChange('acme', 'oak-1');
    expect(existsSync(join(dir, 'new'))).toBe(false);
    manager.appendMessage(QUESTION);
    expect(existsSync(manager.getSessionFile() ?? '')).toBe(true);
    manager.appendMessage(ANSWER);
    const file = manager.getSessionFile() ?? '';
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(4);
    expect(readdirSync(join(dir, 'new'))).toHaveLength(1);
  });

  it('is where pi would put it, named after its start and its id', () => {
    const world = createWorld(dir);
    const manager = SessionManager.create('/home/dev/orchard', undefined, { world, id: 'mine' });
    expect(manager.getSessionFile()).toBe(
      join(dir, 'sessions/--home-dev-orchard--/2026-03-02T09-30-00-000Z_mine.jsonl'),
    );
  });

  it('never takes the place of a file that is there', () => {
    const world = createWorld(dir);
    const manager = SessionManager.create('/home/dev/orchard', dir, { world, id: 'mine' });
    manager.appendModelChange('acme', 'oak-1');
    writeFileSync(manager.getSessionFile() ?? '', 'theirs');
    expect(() => manager.appendMessage(QUESTION)).toThrow('already exists');
    expect(readFileSync(manager.getSessionFile() ?? '', 'utf8')).toBe('theirs');
    expect(manager.getEntries()).toHaveLength(1);
  });

  it.each(['', 'a/b', '-a', 'a.', '../a'])('refuses the id %j', (id) => {
    expect(() => SessionManager.create('/x', dir, { id })).toThrow('Session id must be non-empty');
  });

  it('can stay in memory, also with entries from elsewhere', () => {
    const manager = SessionManager.inMemory('/home/dev/orchard');
    const id = manager.appendMessage(QUESTION);
    manager.appendMessage(ANSWER);
    expect(manager.getSessionFile()).toBeUndefined();
    const copy = SessionManager.inMemory('/x', {}, manager.getEntries());
    expect(copy.buildSessionContext().messages).toHaveLength(2);
    expect(copy.createBranchedSession(id)).toBeUndefined();
    expect(copy.getEntries()).toHaveLength(1);
  });
});

describe('appending', () => {
  it('closes a last line that a crash has torn', () => {
    writeFileSync(path, `${toJsonl(sampleSession())}{"type":"mess`);
    const id = SessionManager.open(path).appendMessage(QUESTION);
    expect(readFileSync(path, 'utf8')).toContain('{"type":"mess\n{"type":"message"');
    expect(readLines().at(-1)).toMatchObject({ id, parentId: 'aaaaaaa2' });
  });

  it('keeps what another program appends in between, torn or not', () => {
    writeFileSync(path, toJsonl(sampleSession()));
    const [ours, theirs] = [SessionManager.open(path), SessionManager.open(path)];
    const first = ours.appendMessage(QUESTION);
    const foreign = theirs.appendMessage(QUESTION);
    appendFileSync(path, '{"torn');
    const second = ours.appendMessage(ANSWER);
    const lines = readLines();
    const ids = lines.map(({ id }) => id);
    expect(ids).toEqual(['sample-1', 'aaaaaaa1', 'aaaaaaa2', first, foreign, second]);
    expect(lines.at(-1)?.parentId).toBe(first);
    expect(ours.getEntry(foreign)).toMatchObject({ parentId: 'aaaaaaa2' });
    expect(ours.getEntries()).toHaveLength(5);
  });

  it.each([
    ['was replaced', () => writeNew(toJsonl(sampleSession({ text: 'rewritten' })))],
    ['was rewritten in place, and longer', () => rewriteInPlace()],
    ['was cut short', () => writeFileSync(path, toJsonl(sampleSession().slice(0, 2)))],
    ['is gone', () => rmSync(path)],
  ])('refuses a file that %s', (_, change) => {
    writeFileSync(path, toJsonl(sampleSession()));
    const manager = SessionManager.open(path);
    change();
    expect(refuse(manager)).toMatch(/open it again|no such file/);
  });

  it('never changes a version that is newer than it knows', () => {
    const [header, ...entries] = sampleSession();
    writeFileSync(path, toJsonl([{ ...header, version: 9 }, ...entries]));
    expect(refuse(SessionManager.open(path))).toContain('newer than is known');
  });

  it('begins a session in an empty file', () => {
    writeFileSync(path, '');
    const manager = SessionManager.open(path);
    expect(readFileSync(path, 'utf8')).toBe('');
    manager.appendMessage(QUESTION);
    expect(readLines().map(({ type }) => type)).toEqual(['session', 'message']);
  });

  it('leaves an empty file alone that another program has begun', () => {
    writeFileSync(path, '');
    const manager = SessionManager.open(path);
    appendFileSync(path, toJsonl(sampleSession()));
    expect(refuse(manager)).toContain('was created by another program');
  });
});

describe('a session of an old version', () => {
  it('is migrated in memory, and on disk only with the first entry', () => {
    copyFileSync(OLD, path);
    const before = readFileSync(path);
    const manager = SessionManager.open(path);
    const ids = manager.getEntries().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(readFileSync(path)).toEqual(before);
    const id = manager.appendMessage(QUESTION);
    const [header, ...entries] = readLines();
    expect(header).toMatchObject({ type: 'session', version: 3 });
    expect(entries.map((entry) => entry.id)).toEqual([...ids, id]);
    expect(entries.at(-1)?.parentId).toBe(ids.at(-1));
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('is left unchanged when it has changed since', () => {
    copyFileSync(OLD, path);
    const manager = SessionManager.open(path);
    appendFileSync(path, '{"type":"thinking_level_change","thinkingLevel":"high"}\n');
    expect(refuse(manager)).toContain('was changed by another program');
  });

  it('stays behind its symbolic link', () => {
    mkdirSync(join(dir, 'real'));
    copyFileSync(OLD, join(dir, 'real/s.jsonl'));
    symlinkSync(join(dir, 'real/s.jsonl'), path);
    SessionManager.open(path).appendMessage(QUESTION);
    expect(readdirSync(join(dir, 'real'))).toEqual(['s.jsonl']);
    expect(readLines()[0]).toMatchObject({ version: 3 });
  });
});

describe('opening', () => {
  it.each([
    ['some text', 'hello\n'],
    ['JSON of something else', '{"type":"event"}\n'],
    ['a session that lost its header', toJsonl(sampleSession().slice(1))],
  ])('refuses %s, and leaves it as it is', (_, content) => {
    writeFileSync(path, content);
    expect(() => SessionManager.open(path)).toThrow('not a valid pi session');
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  it('ends on a cycle', () => {
    const [header, ...entries] = sampleSession();
    const turned = entries.map((entry, index) => ({
      ...entry,
      parentId: index === 0 ? 'aaaaaaa2' : 'aaaaaaa1',
    }));
    writeFileSync(path, toJsonl([header ?? {}, ...turned]));
    const manager = SessionManager.open(path);
    expect(manager.getBranch()).toHaveLength(2);
    expect(manager.getTree()).toEqual([]);
    expect(manager.buildSessionContext().messages).toHaveLength(2);
  });

  it('goes on in a file that is yet to be made', () => {
    const manager = SessionManager.open(join(dir, 'later', 'x.jsonl'));
    manager.appendMessage(QUESTION);
    manager.appendMessage(ANSWER);
    expect(readdirSync(join(dir, 'later'))).toEqual(['x.jsonl']);
  });
});

/** The same inode, a line more, and other text before. */
function rewriteInPlace(): void {
  const lines = sampleSession({ text: 'rewritten' });
  writeFileSync(path, toJsonl([...lines, ...lines.slice(-1)]), { flag: 'r+' });
}

function writeNew(content: string): void {
  rmSync(path);
  writeFileSync(`${path}.new`, content);
  copyFileSync(`${path}.new`, path);
  rmSync(`${path}.new`);
}
