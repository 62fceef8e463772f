import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { summarizeSession } from '../../../src/session/read/summaries/summarize-session.ts';
import type { SessionSummary } from '../../../src/session/model/summary.ts';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { type Listed, withBlobs } from './agent.ts';
import { KNOWN_DIFFERENCES, type MadeHome, makeHome, run } from './home.ts';

let home: MadeHome;

beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.close());

/** The agent gives the short text of a compaction as a title if there is none: nobody has named the session so. */
const TITLES_OF_COMPACTIONS = new Set(['short summary', 'two']);

function toComparable({ id, cwd, title = '', created, firstMessage, parentSessionPath }: Listed) {
  const name = TITLES_OF_COMPACTIONS.has(title) ? null : title || null;
  return { id, cwd, name, created, firstMessage, parentSessionPath: parentSessionPath ?? null };
}

function toOurs({ id, cwd, name, created, firstMessage, parentSessionPath }: SessionSummary) {
  return { id, cwd, name, created, firstMessage, parentSessionPath };
}

describe('a listing', () => {
  it('has the sessions that the agent lists, and those of sub-agents', async () => {
    const [theirs, ours] = await listBoth();
    const paths = [...theirs.map(({ path }) => path), home.made.get('sub-agent') ?? ''];
    expect(ours.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
    expect(theirs).toHaveLength(home.made.size - 1);
  });

  it('says of each what the agent does', async () => {
    const [theirs, ours] = await listBoth();
    const byPath = new Map(ours.map((one) => [one.path, toOurs(one)]));
    for (const one of theirs) expect(byPath.get(one.path)).toEqual(toComparable(one));
  });

  it('counts all messages, where the agent reads 4 KiB', async () => {
    const [theirs, ours] = await listBoth();
    const counts = new Map(ours.map(({ path, messageCount }) => [path, messageCount]));
    const large = home.made.get('tools');
    for (const { path, messageCount } of theirs.filter((one) => one.path !== large)) {
      expect({ path, messageCount: counts.get(path) }).toEqual({ path, messageCount });
    }
    expect(counts.get(large ?? '')).toBe(8);
  });

  it('counts the usage that the agent counts', async () => {
    for (const path of home.made.values()) {
      const { usage } = await home.agent.ask('open', { path });
      const summary = await summarizeSession(path, { usage: true });
      const { input, output } = usage;
      expect(summary).toMatchObject({ usage: { input, output } });
    }
  });

  async function listBoth(): Promise<[readonly Listed[], readonly SessionSummary[]]> {
    return [await home.agent.ask('list', {}), await run(home.home, 'list', '--store', home.store)];
  }
});

/** What only the agent's own screen shows. */
function toSaid({ role, content, summary, customType }: JsonObject): object {
  return { role, content, summary, customType };
}

async function compareContexts(name: string) {
  const path = home.made.get(name) ?? '';
  const theirs = await home.agent.ask('open', { path });
  const ours: { messages: readonly JsonObject[]; thinkingLevel: unknown } = JSON.parse(
    JSON.stringify(withBlobs(home.home, await readContext(path))),
  );
  return {
    ours: ours.messages.map(toSaid),
    theirs: theirs.messages.map(toSaid),
    levels: [ours.thinkingLevel, theirs.thinkingLevel],
  };
}

describe('the context', () => {
  it('is what the agent makes of each session', async () => {
    for (const name of home.made.keys()) {
      if (name in KNOWN_DIFFERENCES) continue;
      const { ours, theirs, levels } = await compareContexts(name);
      expect({ name, ours }).toEqual({ name, ours: theirs });
      expect(levels[0]).toBe(levels[1]);
    }
  });

  it.each(Object.entries(KNOWN_DIFFERENCES))(
    'but not of %s: only one of the two has %s',
    async (name, what) => {
      const { ours, theirs } = await compareContexts(name);
      expect({ what, ours }).not.toEqual({ what, ours: theirs });
    },
  );
});

describe('validate', () => {
  it('finds nothing in what the agent writes but a call without a result', async () => {
    for (const [name, path] of home.made) {
      const found = (await validateSession(path, { levels: new Map() }))?.findings ?? [];
      const expected = name === 'open call' ? ['tool-call-open'] : [];
      expect({ name, found: found.map(({ rule }) => rule) }).toEqual({ name, found: expected });
    }
  });
});

describe('the directory of a project', () => {
  it.each(['.', 'src/web', 'src/a-b', '/var/tmp', '/var/tmp/x y', '/srv'])(
    'has the name that the agent gives it: %s',
    async (place) => {
      const cwd = place.startsWith('/') ? place : `${home.home}/${place}`.replace(/\/\.$/, '');
      const command = ['fork', home.made.get('plain') ?? '', '--cwd', cwd, '--dry-run'];
      const [fork] = await run<{ path: string }>(home.home, ...command);
      const theirs = await home.agent.ask('directory', { cwd });
      expect(dirname(fork?.path ?? '')).toBe(theirs);
    },
  );
});
