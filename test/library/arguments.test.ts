import { describe, expect, it } from 'vitest';
import * as library from '../../src/index.ts';

/** As a program without types sees it. */
const untyped: Record<string, (...args: unknown[]) => unknown> = { ...library } as never;
const { SessionManager } = library;
const open = () => {
  const session = SessionManager.inMemory('/home/dev/orchard');
  return session as unknown as Record<string, (...args: unknown[]) => unknown>;
};

const PATH_FUNCTIONS = [
  'readSession',
  'readContext',
  'summarizeSession',
  'validateSession',
  'migrateSession',
  'reduceSession',
  'planCompaction',
  'compactSession',
  'forkSession',
  'exportSession',
];

const ENDPOINT = { baseUrl: 'http://localhost/v1', model: 'y' };

describe('a wrong argument is a TypeError that names it', () => {
  it.each([
    ['buildTree', [5], 'entries: expected a list of objects; got 5'],
    ['buildTree', [[], { order: 1 }], 'order: unknown option; use one of pathOrder, leaf'],
    ['getPath', [], 'tree: expected an object; got undefined'],
    ['getPath', [{}], 'tree.roots: expected a list of objects; got undefined'],
    ['walkTree', [5], 'tree: expected an object; got 5'],
    ['resolveLabels', [{}], 'entries: expected a list of objects; got object'],
    ['formatConversation', [], 'messages: expected a list of objects; got undefined'],
    ['openImageFiles', [''], 'sessionPath: expected a path; got ""'],
    ['openImageFiles', ['x.jsonl', {}], 'listOthers: expected a function; got object'],
  ])('%s', (name, given, message) => {
    expect(() => untyped[name]?.(...given)).toThrow(new TypeError(message));
  });

  it.each(PATH_FUNCTIONS)('%s', async (name) => {
    await expect(untyped[name]?.(7)).rejects.toThrow(new TypeError('path: expected a path; got 7'));
    const options = name === 'planCompaction' ? 7 : { grace: 1 };
    const named =
      name === 'planCompaction' ? /^settingsFor: expected a function/ : /^grace: unknown/;
    await expect(untyped[name]?.('x', options)).rejects.toThrow(named);
  });

  it.each([
    ['compactSession', { apply: 'yes' }, 'apply: expected true or false; got "yes"'],
    [
      'compactSession',
      { summarizer: {} },
      'summarizer.summarize: expected a function; got undefined',
    ],
    ['reduceSession', { entries: ['all'] }, 'entries: expected one of abandoned-branches, '],
    ['validateSession', { levels: {} }, 'levels: expected a Map; got object'],
    ['forkSession', { start: { kind: 'at' } }, 'start.entry: expected a text; got undefined'],
    [
      'forkSession',
      { start: { kind: 'each-leaf' }, id: 'one' },
      'id: cannot be combined with each-leaf',
    ],
    ['reduceSession', { toolOutput: 20 }, 'toolOutput: expected at least 200 bytes; got 20'],
    ['migrateSession', { backupSuffix: '' }, 'backupSuffix: expected a suffix like .v1'],
    [
      'migrateSession',
      { backupSuffix: '.old.jsonl' },
      'names that end in .jsonl have another meaning',
    ],
    ['exportSession', { as: 'pdf' }, 'as: expected one of md, html, '],
    [
      'exportSession',
      { images: 'extract' },
      'images: expected saveImage with extract; got extract',
    ],
    ['exportSession', { redact: false, secrets: ['x'] }, 'redact: expected true with secrets'],
    ['exportSession', { signal: 1 }, 'signal: expected an AbortSignal; got 1'],
  ])('%s(path, %j)', async (name, options, message) => {
    const thrown = await Promise.resolve(untyped[name]?.('x', options)).catch((error) => error);
    expect(thrown).toBeInstanceOf(TypeError);
    expect((thrown as Error).message).toContain(message);
  });

  it.each([
    ['createOpenAi', {}, 'baseUrl: expected a text; got undefined'],
    ['createOpenAi', { baseUrl: 'x', model: 'y', timeout: 1 }, 'timeout: unknown option'],
    ['createCommand', { command: 'cat', timeoutMs: -1 }, 'timeoutMs: expected a number, 0 or more'],
    ['createCommand', { command: ' ' }, 'command: expected a program; got a blank'],
    [
      'createOpenAi',
      { baseUrl: 'ftp://x', model: 'y' },
      'baseUrl: expected an address that begins',
    ],
    [
      'createOpenAi',
      { baseUrl: 'http://u:pw@x', model: 'y' },
      'baseUrl: holds a user or a password, ',
    ],
    ['createOpenAi', { ...ENDPOINT, concurrency: 0 }, 'concurrency: expected a whole number, 1 or'],
    ['createOpenAi', { ...ENDPOINT, price: { input: 1 } }, 'price.output: expected a number'],
  ])('%s(%j)', (name, options, message) => {
    expect(() => untyped[name]?.(options)).toThrow(message);
    expect(() => library.createCommand({ command: 'cat' })).not.toThrow();
  });

  it.each([
    ['create', [7], 'cwd: '],
    ['create', ['/x', 7], 'sessionDir: '],
    ['create', ['/x', '/y', { idd: 'x' }], 'idd: unknown option'],
    ['open', [undefined], 'path: '],
    ['continueRecent', [null], 'cwd: '],
    ['inMemory', ['/x', {}, [1]], 'entries: '],
    ['forkFrom', ['/x'], 'targetCwd: '],
    ['list', [{}], 'cwd: '],
  ])('SessionManager.%s(%j)', async (name, args, message) => {
    const statics = SessionManager as unknown as Record<string, (...all: unknown[]) => unknown>;
    await expect(async () => statics[name]?.(...args)).rejects.toThrow(message);
  });

  it.each([
    ['appendMessage', ['hi'], 'message: expected an object; got "hi"'],
    ['appendMessage', [{}], 'message.role: '],
    ['appendThinkingLevelChange', [], 'thinkingLevel: '],
    ['appendModelChange', ['x'], 'modelId: '],
    ['appendUsage', ['x', 'y', 'z'], 'usage: '],
    ['appendCompaction', ['s', undefined, 1], 'firstKeptEntryId: '],
    ['appendCompaction', ['s', null, '1'], 'tokensBefore: '],
    ['appendCustomEntry', [{}], 'customType: '],
    ['appendCustomMessageEntry', ['x', 'y'], 'display: '],
    ['appendSessionInfo', [null], 'name: '],
    ['appendLabelChange', [1], 'targetId: '],
    ['appendContextEdit', ['x', undefined], 'replacement: '],
    ['branch', [null], 'branchFromId: '],
    ['branchWithSummary', [null, 1], 'summary: '],
    ['createBranchedSession', [], 'leafId: '],
    ['getEntry', [1], 'id: '],
    ['newSession', [{ id: 1 }], 'id: '],
    ['setSessionFile', [''], 'sessionFile: '],
  ])('session.%s(%j)', (name, args, message) => {
    const session = open();
    const before = session['getEntries']?.();
    const call = () => session[name]?.(...args);
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
    expect(session['getEntries']?.()).toEqual(before);
  });
});
