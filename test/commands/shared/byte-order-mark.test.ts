import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { runTest } from '../../memory-terminal.ts';
import { buildHealthy, toText } from '../../session/agents/neovate/healthy-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

/** Without the settings, so that a message is on the first line. */
const TEXT = toText(buildHealthy().slice(1));

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
  await writeFiles(home, { 'plain/abc.jsonl': TEXT, 'marked/abc.jsonl': `\ufeff${TEXT}` });
});

async function run(...args: readonly string[]): Promise<string> {
  const { exitCode, out, err } = await runTest(args, { cwd: home, home });
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  return out;
}

/** The answer for the session with the mark, and for the one without. */
async function both(ask: (folder: string) => Promise<string>): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const folder of ['marked', 'plain']) {
    answers.push((await ask(folder)).replaceAll(folder, 'folder'));
  }
  return answers;
}

describe('a Neovate session whose file begins with a byte order mark', () => {
  it.each([[['--before', 'ask']], [['--at', 'ask']], [['--whole']], [[]]])(
    'is forked like any other: fork %j',
    async (how) => {
      const [marked, plain] = await both(async (folder) => {
        const args = ['fork', `${folder}/abc.jsonl`, ...how, '--id', 'mine', '--json'];
        const document = await run(...args);
        return document + (await readFile(join(home, folder, 'mine.jsonl'), 'utf8'));
      });
      expect(marked).toBe(plain);
      expect(plain).not.toContain('\ufeff');
    },
  );

  it('has the context of the same file without it', async () => {
    const contexts = await both(async (folder) =>
      JSON.stringify(await readContext(join(home, folder, 'abc.jsonl'))),
    );
    expect(contexts[0]).toBe(contexts[1]);
    expect(contexts[0]).toContain('They tidied up.');
  });
});
