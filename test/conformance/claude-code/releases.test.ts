import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { compactSession } from '../../../src/session/compact/compact-session.ts';
import { ENTRY_REDUCERS } from '../../../src/session/dialect/reduction.ts';
import { forkSession } from '../../../src/session/fork/fork-session.ts';
import { reduceSession } from '../../../src/session/reduce/reduce-session.ts';
import { fixSession } from '../../../src/session/validate/fix-session.ts';
import type { Finding } from '../../../src/session/dialect/rule.ts';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import { openImageFiles } from '../../../src/store/output/image-files.ts';
import { LINK_FAULTS } from '../../session/agents/claude-code/link-faults.ts';
import { describeSent } from '../../session/agents/claude-code/asked.ts';
import { ClaudeCode, RELEASES, type Release, type Resumed } from './client.ts';
import { CORPUS } from './corpus.ts';

const IS_LONG = process.env['COPPICE_LONG'] === '1';
const OLDER = RELEASES.slice(0, -1);

let client: ClaudeCode;
let dir: string;
let made = 0;

beforeAll(() => {
  client = new ClaudeCode();
  dir = mkdtempSync(join(tmpdir(), 'claude-code-releases-'));
});
afterAll(() => {
  client.close();
  rmSync(dir, { recursive: true, force: true });
});

/** What the client says by itself, in words that each release has its own of. */
const OF_CLIENT =
  /^$|^\(no content\)$|^No response requested\.$|^Continue from where you left off\.$/;
/** How releases wrap what was typed while the agent was at work. */
const TYPED =
  /(?:<system-reminder>\n)?The user sent (?:a new|the following) message[^\n]*:\n([^\n]*)[^]*$/;

/** What was said, called and answered; undefined for a session that a release does not open. */
function listWords({ context }: Resumed): readonly string[] | undefined {
  const blocks = context?.flatMap(({ role, blocks: all }) =>
    all.map((block) => describeSent([{ role, blocks: [block] }])[0]?.slice(2) ?? ''),
  );
  return blocks
    ?.flatMap((words) =>
      words
        .replace(TYPED, '\n\n$1')
        .split('\n\n')
        .map((part) => part.trim()),
    )
    .filter((words) => !OF_CLIENT.test(words));
}

/** The older releases that findings name as others. */
function listNamed(findings: readonly Finding[]): readonly Release[] {
  const named = new Set(findings.flatMap(({ rule, message }) => getReleases(rule, message)));
  return ASKED_OF.filter((release) => named.has(release));
}

function getReleases(rule: string, message: string): readonly Release[] {
  if (rule === 'call-interrupted') return OLDER;
  if (rule === 'node-cycle' || rule === 'result-uncalled') return ['2.0.56'];
  if (message.startsWith('2.1.133 continues')) return ['2.1.133'];
  if (/up to 2\.1\.133|before 2\.1\.225/.test(message)) return OLDER;
  return /releases (?:up to 2\.1\.(?:42|90)|before 2\.1\.90)/.test(message)
    ? ['2.0.56', '2.1.42']
    : [];
}

/** One for each way in which releases differ. */
const SHORT = /names-the-other|duplicate-uuid$|made-orphan$|call-last|siblings|auto-compact/;
const ASKED = CORPUS.filter(({ name }) => IS_LONG || SHORT.test(name));
/** The two oldest do the same with these. */
const ASKED_OF = IS_LONG ? OLDER : OLDER.slice(1);

describe.concurrent('validate names the older releases that send something else', () => {
  it.for(ASKED)('of $name', async ({ name, path }, { expect }) => {
    const validation = await validateSession(path, { levels: new Map() });
    const newest = listWords(await client.resume(path));
    const others: Release[] = [];
    for (const release of ASKED_OF) {
      // It never returns from a circle.
      if (release === '2.0.56' && name === 'made-cycle') others.push(release);
      else {
        const words = listWords(await client.resume(path, { release }));
        if (JSON.stringify(words) !== JSON.stringify(newest)) others.push(release);
      }
    }
    expect(listNamed(validation?.findings ?? [])).toEqual(others);
  });
});

/** A new file in a directory of its own. */
function write(text: string): string {
  const path = join(dir, `${(made += 1)}.jsonl`);
  writeFileSync(path, text);
  return path;
}

const { signal } = new AbortController();
const world = {
  // After what the client has written: older releases go on at the newest line.
  now: () => Date.now(),
  createId: () => `0199a3f1-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`,
  cwd: '/w',
};

const CHANGES = {
  fork: async (path: string): Promise<string> => {
    const [forked] = await forkSession(
      path,
      { start: { kind: 'leaf' }, directory: dir },
      { world },
    );
    return forked?.path ?? '';
  },
  'fork --whole': async (path: string): Promise<string> => {
    const [forked] = await forkSession(
      path,
      { start: { kind: 'whole' }, directory: dir },
      { world },
    );
    return forked?.path ?? '';
  },
  'compact with every reducer of entries': async (path: string): Promise<string> => {
    await reduceSession(path, {
      entries: ENTRY_REDUCERS,
      images: undefined,
      toolOutput: undefined,
      openImages: openImageFiles,
      apply: true,
      signal,
    });
    return path;
  },
  'validate --fix': async (path: string): Promise<string> => {
    await fixSession(path, { levels: new Map(), dryRun: false, now: () => 0 });
    return path;
  },
} as const;

/** Recorded with an old release, and gone on with by the one that is asked. */
const SOURCES = CORPUS.filter(({ name }) => /recorded-(?:2\.0\.56|2\.1\.42)$/.test(name));
const CASES = OLDER.flatMap((release) =>
  SOURCES.filter((_, index) => IS_LONG || index === (release === '2.0.56' ? 0 : 1)).map(
    (source) => ({
      ...source,
      release,
    }),
  ),
);

describe.concurrent('what coppice makes of a session that an older release wrote', () => {
  it.for(CASES)(
    'is opened by that release, $release: $name',
    async ({ path, release }, { expect }) => {
      const { text } = await client.resume(path, { release });
      const before = await client.resume(write(text), { release });
      expect(listWords(before)?.length).toBeGreaterThan(2);
      for (const [name, change] of Object.entries(CHANGES)) {
        const changed = await client.resume(await change(write(text)), { release });
        expect({ name, exit: changed.exit, words: listWords(changed) }).toEqual({
          name,
          exit: 0,
          words: listWords(before),
        });
      }
    },
  );

  it.for(CASES)(
    'is whole again for $release once it is repaired: $name',
    async (one, { expect }) => {
      const { path, release } = one;
      const { text } = await client.resume(path, { release });
      const whole = listWords(await client.resume(write(text), { release })) ?? [];
      // The line of an answer, and the one behind it is glued to the next.
      const lines = text.trimEnd().split('\n');
      const at = lines.findLastIndex((line) => line.includes('"type":"assistant"'));
      const glued = `${lines.slice(0, at - 1).join('\n')}\n${lines.slice(at - 1).join('')}\n`;
      const damaged = write(glued);
      const before = listWords(await client.resume(damaged, { release })) ?? [];
      expect(before.length).toBeLessThan(whole.length);
      await fixSession(damaged, { levels: new Map(), dryRun: false, now: () => 0 });
      expect(readFileSync(damaged, 'utf8')).toContain(lines[at]);
      expect(listWords(await client.resume(damaged, { release }))).toEqual(whole);
    },
  );

  it.for(CASES)('is summarized for $release: $name', async ({ path, release }, { expect }) => {
    const { text } = await client.resume(path, { release });
    const copy = write(text);
    const { action } = await compactSession(copy, {
      settingsFor: () =>
        Promise.resolve({ enabled: true, reserveTokens: 1000, keepRecentTokens: 1 }),
      contextWindowOf: () => Promise.resolve(200_000),
      summarizer: { summarize: () => Promise.resolve({ text: 'SO FAR' }) },
      force: true,
      apply: true,
      now: world.now,
      signal,
    });
    expect(action).toBe('compact');
    const after = await client.resume(copy, { release });
    expect(after.exit).toBe(0);
    expect(listWords(after)?.join('\n')).toContain('Summary:\nSO FAR');
    expect(after.keepsBytes).toBe(true);
  });
});

/** An answer as a text. No release writes it. */
const UNLISTED = LINK_FAULTS.filter(({ what }) => what.startsWith('an answer that is a text'));

describe.concurrent('an answer that is a text keeps older releases from opening a session', () => {
  it.for(UNLISTED)('$what', async ({ session }, { expect }) => {
    const path = join(dir, `unlisted-${(made += 1)}.jsonl`);
    writeFileSync(path, session);
    const opened: Release[] = [];
    for (const release of RELEASES.slice(1)) {
      if ((await client.resume(path, { release })).context) opened.push(release);
    }
    expect(opened).toEqual(['2.1.332']);
  });
});
