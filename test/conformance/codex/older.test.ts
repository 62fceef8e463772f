import { existsSync } from 'node:fs';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { runTest } from '../../memory-terminal.ts';
import { getRecorded, placeIn } from '../../session/agents/codex/corpus.ts';
import { Codex } from './client.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MUSL = 'x86_64-unknown-linux-musl';

/** Releases before 0.148, and files that they can have met. Those of `older` are installed for the long run only. */
const RELEASES = [
  { name: '0.40.0', program: `node_modules/codex-0.40.0/bin/codex-${MUSL}`, files: ['era-0.40'] },
  {
    name: '0.100.0',
    program: `node_modules/codex-0.100.0/vendor/${MUSL}/codex/codex`,
    files: ['era-0.40', 'era-0.80-rollback', 'made-minimal-legacy'],
  },
  {
    name: '0.145.0',
    program: `older/node_modules/codex-0.145.0/vendor/${MUSL}/bin/codex`,
    files: [
      'era-0.40',
      'era-0.80-rollback',
      'era-0.130',
      'era-0.130-fork',
      'legacy-linear',
      'images',
    ],
  },
].filter(({ program }) => existsSync(join(HERE, program)));

let client: Codex;

beforeAll(() => {
  client = new Codex();
});
afterAll(() => client.close());

type Act = (home: string, path: string) => Promise<string>;

const run = async (home: string, ...argv: readonly string[]) => {
  const result = await runTest([...argv, '--json'], { home, cwd: home, now: () => Date.now() });
  expect({ argv, ...result }).toMatchObject({ exitCode: 0 });
  return JSON.parse(result.out) as { readonly results: readonly { readonly path: string }[] };
};
const keep =
  (...argv: readonly string[]): Act =>
  async (home, path) => {
    await run(home, ...argv, path, '--apply', '--grace', '0s');
    return path;
  };

const CUT = 'compact --tool-output';

/** What coppice writes; returns the file that is opened. */
const ACTS: Readonly<Record<string, Act>> = {
  fork: async (home, path) => (await run(home, 'fork', path)).results[0]?.path ?? '',
  'migrate --cwd': (home, path) => keep('migrate', '--cwd', `/home/u2=${home}`)(home, path),
  [CUT]: async (home, path) => {
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll('"output":"', `"output":"${'long '.repeat(100)}`));
    return keep('compact', '--tool-output', '200B')(home, path);
  },
  'compact --superseded-state': keep('compact', '--superseded-state'),
  'validate --fix': async (home, path) => {
    await appendFile(path, '{"timestamp":"2026-11-21T21:14:08.3');
    await run(home, 'validate', '--fix', path, '--grace', '0s');
    // 0.40 takes any file for a thread whose name has the id in it.
    await rm(`${path}.rejected`);
    return path;
  },
};

const PROBE = 'ORACLE-MARKER';

/** What is meant, without ids, which older releases leave out. */
const toMeaning = ({
  type,
  role,
  content,
  output,
  name,
  arguments: args,
  input,
  summary,
}: JsonObject) =>
  JSON.parse(
    JSON.stringify({
      type,
      role,
      content: content ?? undefined,
      output,
      name,
      args,
      input,
      summary,
    }),
  );

async function send(home: string, program: string, path: string): Promise<readonly JsonObject[]> {
  const id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(
    path.slice(path.lastIndexOf('/')),
  )?.[0];
  const args = ['exec', '--skip-git-repo-check', 'resume', id ?? '', PROBE];
  const cwd = join(home, 'work');
  const { asked, said } = await client.ask<{
    readonly asked: readonly { readonly input: readonly JsonObject[] }[];
    readonly said: string;
  }>('prompt', `prompt-${path}`.replaceAll('/', '-'), { program, home, cwd, args });
  if (!asked[0]) throw new Error(said);
  return asked[0].input.map(toMeaning);
}

const CASES = RELEASES.flatMap(({ name, program, files }) =>
  files.flatMap((file) =>
    Object.entries(ACTS).map(([what, act]) => [name, file, what, { program, act }] as const),
  ),
);

/** What a release sends of a file as it was, by both. */
const untouched = new Map<string, Promise<readonly JsonObject[]>>();

function sendUntouched(program: string, file: string): Promise<readonly JsonObject[]> {
  const key = `${program} ${file}`;
  const known = untouched.get(key);
  if (known) return known;
  const home = client.makeHome();
  const sent = placeIn(home, getRecorded(file)).then((path) => send(home, program, path));
  untouched.set(key, sent);
  return sent;
}

describe.concurrent('an older release goes on with what coppice has written', () => {
  it.each(CASES)('%s: %s, %s', async (_, file, what, { program, act }) => {
    const home = client.makeHome();
    const path = await act(home, await placeIn(home, getRecorded(file)));
    const { messages } = await readContext(path);
    const before = await sendUntouched(join(HERE, program), file);
    const sent = await send(home, join(HERE, program), path);
    // Behind the context: surroundings, which are of now, and the prompt.
    const toShown = (item: JsonObject): JsonObject =>
      what === CUT ? { ...item, output: '' } : item;
    const count = messages.length;
    expect(sent.slice(0, count).map(toShown)).toEqual(before.slice(0, count).map(toShown));
    expect(sent).toHaveLength(before.length);
    expect(JSON.stringify(sent.slice(count))).toContain(PROBE);
  });
});
