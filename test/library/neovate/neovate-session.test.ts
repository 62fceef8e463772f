import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { NeovateSession, readSession, validateSession } from '../../../src/index.ts';
import { makeTempDir } from '../../temp-dir.ts';

let path: string;
let world: { now: () => number; createId: () => string };

beforeEach(async () => {
  path = join(await makeTempDir(), 'abcd1234.jsonl');
  let count = 0;
  const createId = () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`;
  world = { now: () => Date.parse('2026-03-02T09:30:00.000Z'), createId };
});

const read = () => readFileSync(path, 'utf8');
const say = (content: string) => ({ role: 'user', content }) as const;
const FIXTURES = fileURLToPath(new URL('../../fixtures/neovate', import.meta.url));

describe('a new session', () => {
  it('has its file from the first message on, in the form of the agent', async () => {
    const session = NeovateSession.create(path, { world });
    expect(existsSync(path)).toBe(false);
    expect([session.getLatestUuid(), session.getMessages()]).toEqual([null, []]);
    const first = session.appendMessage(say('Hi'));
    const second = session.appendMessage({
      role: 'assistant',
      content: [{ type: 'text', text: 'Hello.' }],
      text: 'Hello.',
      model: 'acme/oak/1',
      usage: { input_tokens: 3, output_tokens: 1 },
    });
    expect(read().split('\n')[0]).toBe(
      `{"parentUuid":null,"uuid":"${first}","role":"user","content":"Hi","type":"message",` +
        '"timestamp":"2026-03-02T09:30:00.000Z","sessionId":"abcd1234"}',
    );
    expect(session.getLatestUuid()).toBe(second);
    expect((await validateSession(path))?.findings).toMatchObject([{ rule: 'config-missing' }]);
    expect((await readSession(path)).session.agent).toBe('neovate');
    expect(() => NeovateSession.create(path)).toThrow('cannot create: already exists');
  });

  it('begins with its settings where they come first', () => {
    const session = NeovateSession.resume(path, { world });
    session.setConfig({ approvalMode: 'yolo' });
    session.appendMessage(say('Hi'));
    session.setSummary('A\ntitle');
    expect(
      read()
        .split('\n')
        .map((line) => line.slice(0, 120)),
    ).toEqual([
      '{"type":"config","config":{"summary":"A title","approvalMode":"yolo","approvalTools":[]}}',
      expect.stringContaining('"content":"Hi","type"'),
      '',
    ]);
    expect(NeovateSession.open(path).getSummary()).toBe('A title');
    session.setConfig({ approvalMode: undefined } as never);
    expect(session.getConfig()).toEqual({ approvalTools: [], summary: 'A title' });
  });
});

describe('a session that is there', () => {
  it('is read without being written, path by path', () => {
    const session = NeovateSession.create(path, { world });
    const root = session.appendMessage(say('Hi'));
    const left = session.appendMessage(say('left'));
    const right = session.appendMessage(say('right'), { parentUuid: root });
    const before = read();
    const opened = NeovateSession.open(path);
    expect(opened.getLatestUuid()).toBe(right);
    expect(opened.getMessages().map(({ content }) => content)).toEqual(['Hi', 'right']);
    expect(opened.getMessagesToUuid(left).map(({ content }) => content)).toEqual(['Hi', 'left']);
    expect(opened.getAllMessages()).toHaveLength(3);
    expect(() => opened.getMessagesToUuid('x')).toThrow('Message x not found');
    expect(read()).toBe(before);
  });

  it('keeps what others append, a line that is torn, and every byte that is not its own', () => {
    const line = '{"type":"config","config":{"b":1.0,"summary":"Old"}}';
    const message =
      '{"type":"message","uuid":"u1","parentUuid":null,"role":"user","content":"é","n":1.0}';
    writeFileSync(
      path,
      `${message}\n${line}\n{"type":"custom-title","customTitle":"T","x":2.0}\n{"torn`,
    );
    const session = NeovateSession.open(path, { world });
    expect(session.getSummary()).toBe('T');
    session.appendMessage(say('next'));
    appendFileSync(path, `${message.replace('u1', 'u2')}\n`);
    session.appendMessage(say('after'));
    session.setSummary('New');
    const lines = read().split('\n');
    expect(lines.slice(0, 4)).toEqual([
      line.replace('Old', 'New'),
      message,
      '{"type":"custom-title","customTitle":"New","x":2.0}',
      '{"torn',
    ]);
    expect(lines[5]).toBe(message.replace('u1', 'u2'));
    expect(session.getMessages().map(({ content }) => content)).toEqual(['é', 'next', 'after']);
    expect(session.getAllMessages()).toHaveLength(4);
  });

  it.each(
    readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .slice(0, 12),
  )('that the agent wrote opens as it does for the commands: %s', async (name) => {
    const { session } = await readSession(join(FIXTURES, name));
    const opened = NeovateSession.open(join(FIXTURES, name));
    const messages = session.entries.filter(({ aside }) => !aside);
    expect(opened.getAllMessages().map(({ uuid }) => uuid)).toEqual(messages.map(({ id }) => id));
  });

  it('is not touched once it was replaced, and is a session of Neovate', () => {
    const session = NeovateSession.create(path, { world });
    session.appendMessage(say('Hi'));
    const replaced = read().replace('Hi', 'Ho');
    writeFileSync(path, replaced);
    expect(() => session.appendMessage(say('x'))).toThrow('was replaced by another program');
    expect(() => session.setSummary('x')).toThrow('was replaced by another program');
    expect(read()).toBe(replaced);
    expect(session.getAllMessages()).toHaveLength(1);
    writeFileSync(path, '{"type":"session","id":"x"}\n');
    expect(() => NeovateSession.open(path)).toThrow('is not a session of Neovate');
    expect(() => NeovateSession.open(`${path}x`)).toThrow('no such file');
  });

  it('forks to a message, beside itself', async () => {
    const session = NeovateSession.create(path, { world });
    const root = session.appendMessage(say('Hi'));
    session.appendMessage(say('left'));
    const fork = await session.fork(root, { id: 'beef0001' });
    expect(fork.getSessionFile()).toBe(join(dirname(path), 'beef0001.jsonl'));
    expect(fork.getMessages()).toMatchObject([{ uuid: root, sessionId: 'beef0001' }]);
    fork.appendMessage(say('on'));
    expect(session.getAllMessages()).toHaveLength(2);
  });
});

it.each([
  ['appendMessage', [7], 'message: '],
  ['appendMessage', [{ role: 'system', content: '' }], 'message.role: expected one of user, '],
  ['appendMessage', [{ role: 'user' }], 'message.content: '],
  ['appendMessage', [{ role: 'user', content: 'x' }, { parent: null }], 'parent: unknown option'],
  ['appendMessage', [{ role: 'user', content: 'x' }, { parentUuid: 'y' }], 'Message y not found'],
  ['setConfig', ['x'], 'settings: '],
  ['setSummary', [null], 'summary: '],
  ['getMessagesToUuid', [], 'uuid: '],
])('session.%s(%j) is refused', (name, args, message) => {
  const session = NeovateSession.create(path, { world }) as unknown as Record<
    string,
    (...all: unknown[]) => unknown
  >;
  expect(() => session[name]?.(...args)).toThrow(message);
  expect(existsSync(path)).toBe(false);
});
