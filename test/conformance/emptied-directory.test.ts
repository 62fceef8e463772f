import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getDialect } from '../../src/session/agents/index.ts';
import { assistant, user } from '../session-lines.ts';
import { type Json, Reference, RELEASES } from './reference.ts';

let reference: Reference;

beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

const TALK: readonly Json[] = JSON.parse(JSON.stringify([user('Hello'), assistant('Welcome')]));
const LATE: readonly Json[] = JSON.parse(JSON.stringify([assistant('Said late')]));

describe.each(RELEASES)('the directory of a session that pi %s has open', (release) => {
  const write = (early: readonly Json[], late: readonly Json[], removed: boolean) =>
    reference.ask({ ask: 'lateWrite', release, cwd: '/home/u/work', early, late, removed });

  it('is not made again, and nothing is saved any more: coppice leaves it', async () => {
    const refused = { code: 'ENOENT', text: null };
    expect(await write([], TALK, true)).toEqual({ isSaved: false, ...refused });
    expect(await write(TALK, LATE, true)).toEqual({ isSaved: true, ...refused });
    expect(getDialect('pi').places.needsDirectory).toBe(true);
  });

  it('takes a new session, and what pi adds to one that was removed', async () => {
    const fresh = await write([], TALK, false);
    expect(fresh.text).toMatch(/^\{"type":"session".*\n.*Hello.*\n.*Welcome.*\n$/);
    const added = await write(TALK, LATE, false);
    expect(added.text).toMatch(/^\{"type":"message".*Said late.*\n$/);
  });
});
