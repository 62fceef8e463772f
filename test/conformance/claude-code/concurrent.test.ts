import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { runTest } from '../../memory-terminal.ts';
import { ClaudeCode, type Release, toFolderName } from './client.ts';
import { CORPUS } from './corpus.ts';

const ID = '5e551011-0000-4000-8000-000000000001';
const PROMPT = 'Said while coppice was at work.';
const ANSWER = 'Answered while coppice was at work.';

let client: ClaudeCode;
let dir: string;

beforeAll(() => {
  client = new ClaudeCode();
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'claude-code-concurrent-')));
});
afterAll(() => {
  client.close();
  rmSync(dir, { recursive: true, force: true });
});

/** With tools, copies of requests, a rewind and titles. */
const SOURCE = CORPUS.find(({ name }) => name === 'recorded-tui-rename-rewind')?.path ?? '';

/** The first two lines of the conversation are glued together. */
function glue(text: string): string {
  return text.replace('\n{"parentUuid"', '{"parentUuid"');
}

const NOW = ['--apply', '--grace', '0s'];
const COMMANDS: readonly (readonly [argv: readonly string[], outcome: RegExp])[] = [
  [['compact', ID, ...NOW, '--copies', '--superseded-state'], /Reduced 1 of 1/],
  [['compact', ID, ...NOW, '--force', '--keep-recent-tokens', '40'], /Compacted 1 of 1/],
  [['validate', ID, '--fix', '--grace', '0s'], /1 was repaired/],
  // These would take the file away from under the client, and leave alone what is in use.
  [['migrate', ID, '--apply', '--cwd', '/home/u/demo-project=/w', '--cwd', 'work=/v'], /skip/],
  [['prune', ID, '--apply', '--delete', '--max-messages', '99', '--allow-empty'], /keep/],
];
/** The older one leaves no note that a session is open. */
const RELEASES: readonly Release[] = ['2.1.42', '2.1.332'];
const CASES = COMMANDS.flatMap(([argv, outcome]) =>
  RELEASES.map((release) => ({ name: argv.join(' '), argv, outcome, release })),
);

/** The lines of every file of the session, in whatever folder. */
function readLines(store: string): readonly JsonObject[] {
  const files = readdirSync(store, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith(`${ID}.jsonl`))
    .flatMap((file) => readFileSync(join(store, file), 'utf8').trimEnd().split('\n'))
    .flatMap((line) => line.replaceAll('}{"parentUuid"', '}\n{"parentUuid"').split('\n'))
    .map((line) => JSON.parse(line) as JsonObject);
}

const isSpoken = ({ type }: JsonObject): boolean => type === 'user' || type === 'assistant';
const toIds = (lines: readonly JsonObject[]) => lines.flatMap(({ uuid }) => uuid ?? []);

describe.concurrent('the real client appends while coppice rewrites', () => {
  it.for(CASES)('loses nothing: $name, $release', async (one, { expect }) => {
    const { argv, outcome, release } = one;
    const home = mkdtempSync(join(dir, 'home-'));
    const cwd = join(home, 'work');
    const store = join(home, '.claude/projects');
    mkdirSync(cwd);
    mkdirSync(join(store, toFolderName(cwd)), { recursive: true });
    const source = readFileSync(SOURCE, 'utf8');
    const path = join(store, toFolderName(cwd), `${ID}.jsonl`);
    writeFileSync(path, argv.includes('--fix') ? glue(source) : source);
    const args = ['-p', PROMPT, '--resume', ID, '--output-format', 'json'];
    const outcomes: string[] = [];
    // It has the session open: what is answered is appended later, by older releases also what was asked.
    const onAsked = async (): Promise<void> => {
      // As if it had opened the session after coppice had looked.
      rmSync(join(home, '.claude/sessions'), { recursive: true, force: true });
      // A newer release has written by now that the session is of the directory in which it was resumed.
      const words = argv.map((word) => word.replace(/^work=/, `${cwd}=`));
      const { out, err } = await runTest(words, { home, cwd: home, now: () => Date.now() });
      outcomes.push(`${out}${err}`);
    };
    const { exit } = await client.run({ home, cwd, args, release, reply: ANSWER, onAsked });
    expect(exit).toBe(0);
    // The client may append at that very moment, too.
    const [first = ''] = outcomes;
    if (!first.includes('changed since it was read')) expect(first).toMatch(outcome);
    const lines = readLines(store);
    const said = JSON.stringify(lines.filter(isSpoken));
    expect(said).toContain(PROMPT);
    expect(said).toContain(ANSWER);
    const before = source
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject);
    const lost = toIds(before.filter(isSpoken)).filter((id) => !toIds(lines).includes(id));
    expect(lost).toEqual([]);
    const again = await client.resume(path);
    expect(JSON.stringify(again.sent)).toContain(ANSWER);
  });
});
