import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import { runTest } from '../../memory-terminal.ts';
import { getRecorded, placeIn } from '../../session/agents/codex/corpus.ts';
import { type AppServer, Codex, CodexError } from './client.ts';
import { keepRecorded, readStore } from './sent.ts';

let client: Codex;

beforeAll(() => {
  client = new Codex();
});
afterAll(() => client.close());

interface Damaged {
  readonly path: string;
  /** The file that its history begins in. */
  readonly parent: string;
}

const edit = async (path: string, change: (text: string) => string): Promise<void> =>
  writeFile(path, change(await readFile(path, 'utf8')));

/** What is done to a fork or its parent, and the rule that reports it; `opens` where the client does. */
const DAMAGE: readonly (readonly [
  what: string,
  name: string,
  act: (damaged: Damaged) => Promise<void>,
  rule: string | undefined,
  opens: boolean,
])[] = [
  ['nothing', 'fork-child', () => Promise.resolve(), undefined, true],
  ['no parent', 'fork-child', ({ parent }) => rm(parent), 'rollout-base-unusable', false],
  [
    'a parent that is shorter',
    'fork-child',
    ({ parent }) => edit(parent, (text) => text.slice(0, 9000)),
    'rollout-base-unusable',
    false,
  ],
  [
    'a cut in the middle of a line',
    'fork-child',
    ({ path }) => edit(path, (text) => text.replace('offset":17338', 'offset":17300')),
    'rollout-base-unusable',
    true,
  ],
  [
    'a cut before the last line that is shared',
    'fork-child',
    async ({ path, parent }) => {
      const start = (await readFile(parent, 'utf8')).lastIndexOf('\n', 17_336) + 1;
      await edit(path, (text) => text.replace('offset":17338', `offset":${start}`));
    },
    'rollout-base-unusable',
    true,
  ],
  [
    'no generation before',
    'reverted-second-generation',
    ({ parent }) => rm(parent),
    'rollout-base-unusable',
    false,
  ],
  [
    'a name that is not the client’s',
    'linear-tools',
    ({ path }) => rename(path, join(dirname(path), 'mine.jsonl')),
    'rollout-name',
    false,
  ],
];

/** What the model is sent of a thread; undefined where the client does not open it. */
async function send(server: AppServer, threadId: string) {
  try {
    await server.resume({ threadId });
    return await server.probe(threadId);
  } catch (error) {
    if (error instanceof CodexError) return undefined;
    throw error;
  }
}

describe.concurrent('the client opens a damaged rollout, or not, as we report', () => {
  it.each(DAMAGE)('%s: %s', async (_, name, act, rule, opens) => {
    const home = client.makeHome();
    const recorded = getRecorded(name);
    const path = await placeIn(home, recorded);
    const { id } = recorded.resume as { readonly id: string };
    await act({ path, parent: join(home, recorded.also[0]?.place ?? '') });
    const text = readStore(home);
    const mine = rule === 'rollout-name' ? join(dirname(path), 'mine.jsonl') : path;
    const validation = await validateSession(mine, {
      levels: new Map([['rollout-cwd-missing', 'off']]),
    });
    const found = validation?.findings.map((finding) => finding.rule);
    expect(found?.filter((one) => one.startsWith('rollout-'))).toEqual(rule ? [rule] : []);
    const ours = opens ? await readContext(mine) : undefined;
    const server = await client.start(home);
    const input = await send(server, id);
    await server.stop();
    expect(input && keepRecorded(input, text)).toEqual(ours?.messages);
  });
});

/** Puts the header on another line. */
function moveHeader(text: string): string {
  const [header = '', ...lines] = text.split('\n');
  return [...lines.slice(0, 3), header, ...lines.slice(3)].join('\n');
}

describe('a header that stands below other lines', () => {
  it.each(['linear-tools', 'legacy-linear'])(
    'is moved to the start, and the client sends and shows the thread: %s',
    async (name) => {
      const home = client.makeHome();
      const recorded = getRecorded(name);
      const path = await placeIn(home, recorded);
      const { id } = recorded.resume as { readonly id: string };
      const whole = await readFile(path, 'utf8');
      await edit(path, moveHeader);
      const options = { cwd: home, home, env: { CODEX_HOME: home } };
      const argv = ['validate', path, '--fix', '--grace', '0s', '--json'];
      expect(await runTest(argv, options)).toMatchObject({ exitCode: 0, err: '' });
      expect(await readFile(path, 'utf8')).toBe(whole);
      const server = await client.start(home);
      const { turns } = await server.resume({ threadId: id });
      await server.stop();
      expect(turns.length).toBeGreaterThan(1);
    },
  );

  it('is taken out, and the client sends the whole thread again', async () => {
    const home = client.makeHome();
    const recorded = getRecorded('broken-paginated-second-meta-in-middle');
    const path = await placeIn(home, recorded);
    const { id } = recorded.resume as { readonly id: string };
    const options = { cwd: home, home, env: { CODEX_HOME: home } };
    const argv = ['validate', path, '--fix', '--grace', '0s', '--json'];
    expect(await runTest(argv, options)).toMatchObject({ exitCode: 0, err: '' });
    const text = readStore(home);
    const ours = await readContext(path);
    const server = await client.start(home);
    const input = keepRecorded((await send(server, id)) ?? [], text);
    await server.stop();
    expect(input).toEqual(ours.messages);
    expect(input.length).toBeGreaterThan(recorded.input?.length ?? Infinity);
  });
});

const BAD = Buffer.from([0xe2, 0x82]);

/** Puts the start of a character into a text, or ends a file in the middle of a line with it. */
const UNREADABLE: readonly (readonly [what: string, damage: (whole: Buffer) => Buffer])[] = [
  ['in a prompt', (whole) => insert(whole, whole.indexOf('"role":"user"') + '"role":"user'.length)],
  ['in a line that does not parse', (whole) => insert(whole, whole.indexOf('\n') + 1)],
  ['at a torn end', (whole) => Buffer.concat([whole, Buffer.from('{"timestamp":"20'), BAD])],
];

function insert(whole: Buffer, at: number): Buffer {
  return Buffer.concat([whole.subarray(0, at), BAD, whole.subarray(at)]);
}

describe.concurrent('bytes that are not UTF-8', () => {
  const cases = UNREADABLE.flatMap(([what, damage]) =>
    ['linear-tools', 'legacy-linear'].map((name) => [what, name, damage] as const),
  );
  it.each(cases)(
    '%s are replaced, and the client opens the thread: %s',
    async (_, name, damage) => {
      const home = client.makeHome();
      const recorded = getRecorded(name);
      const path = await placeIn(home, recorded);
      const { id } = recorded.resume as { readonly id: string };
      await writeFile(path, damage(await readFile(path)));
      const options = { cwd: home, home, env: { CODEX_HOME: home } };
      const argv = ['validate', path, '--fix', '--grace', '0s', '--json'];
      // The client writes rows that count the bytes of a file, even of one that it cannot read.
      const copy = client.keepHome(home);
      const server = await client.start(home);
      expect(await send(server, id)).toBe(undefined);
      await server.stop();
      copy.putBack();
      expect((await runTest(argv, options)).err).toBe('');
      const text = readStore(home);
      const ours = await readContext(path);
      const again = await client.start(home);
      const input = keepRecorded((await send(again, id)) ?? [], text);
      await again.stop();
      expect(input).toEqual(ours.messages);
      expect(input.length).toBeGreaterThan(3);
    },
  );
});
