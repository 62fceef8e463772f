import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContext } from '../../src/session/read/read-context.ts';
import {
  convertToLlm,
  findCutPoint,
  serializeConversation,
  SessionManager,
} from '../../src/index.ts';
import { makeTempDir } from '../temp-dir.ts';
import { Reference } from './reference.ts';
import { copyFlat, findSessionFiles } from './session-files.ts';

/** The newest release judges everything else; here it is held against the one before it. */
let newest: Reference;
let earlier: Reference;

beforeAll(() => {
  newest = new Reference();
  earlier = new Reference('0.87.1');
});
afterAll(() => Promise.all([newest.close(), earlier.close()]));

const files = findSessionFiles().map((path) => [basename(path), path] as const);

/** The two name the entries of v1 by ids made at random. */
function withoutIds(text: string): unknown {
  const ids = /"(?:id|parentId|leafId|firstKeptEntryId|fromId)":"[^"]*",?|"branch":\[[^\]]*\],?/g;
  return JSON.parse(text.replaceAll(ids, '').replaceAll(',}', '}'));
}

const THINKING = /\[Assistant thinking\]: /;

describe('pi 1.6.0 and 0.87.1', () => {
  it.each(files)('open %s alike', async (_, path) => {
    const answers = await Promise.all(
      [newest, earlier].map((pi) => pi.ask({ ask: 'session', path })),
    );
    const [ours, theirs] = answers.map((one) => withoutIds(JSON.stringify(one)));
    expect(ours).toEqual(theirs);
  });

  it('list alike', async () => {
    const dir = join(await makeTempDir(), 'sessions');
    copyFlat(findSessionFiles(), dir);
    const [ours, theirs] = await Promise.all(
      [newest, earlier].map((pi) => pi.ask({ ask: 'list', dir })),
    );
    expect(ours).toEqual(theirs);
    expect(ours?.length).toBeGreaterThan(10);
  });

  it('differ in what a summarizer is given: the newer leaves out what the model was thinking', async () => {
    let thought = 0;
    for (const [, path] of files) {
      const [ours, theirs] = await Promise.all(
        [newest, earlier].map((pi) => pi.ask({ ask: 'serialize', path })),
      );
      expect(ours).not.toMatch(THINKING);
      const isThought = THINKING.test(theirs ?? '');
      if (isThought) thought += 1;
      expect(isThought || ours === theirs).toBe(true);
    }
    expect(thought).toBeGreaterThan(0);
  });
});

describe('what a summarizer is given is what pi 1.6.0 gives it, byte for byte', () => {
  it.each(files)('%s', async (_, path) => {
    const { messages } = await readContext(path);
    const told = convertToLlm(messages);
    const theirs = await newest.ask({ ask: 'convert', path });
    expect(JSON.parse(JSON.stringify(told))).toEqual(theirs);
    expect(serializeConversation(told)).toBe(await newest.ask({ ask: 'serialize', path }));
  });
});

describe('a path is cut where pi 1.6.0 cuts it', () => {
  it.each(files)('%s', async (_, path) => {
    const branch = SessionManager.open(path).getBranch();
    const { length } = branch;
    // pi does not migrate what its own fork has left: there is no such path.
    if ((await newest.ask({ ask: 'session', path })).branch.length !== length) return;
    for (const keepRecentTokens of [0, 50, 500, 20_000]) {
      for (const startIndex of [0, Math.floor(length / 3)]) {
        for (const endIndex of [Math.ceil(length / 2), length]) {
          const where = { startIndex, endIndex, keepRecentTokens };
          const theirs = await newest.ask({ ask: 'findCutPoint', path, ...where });
          const ours = findCutPoint(branch, startIndex, endIndex, keepRecentTokens);
          expect({ ...where, ...ours }).toEqual({ ...where, ...theirs });
        }
      }
    }
  });
});
