import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import {
  assistant,
  text,
  toNode,
  toText,
  user,
} from '../../session/agents/claude-code/healthy-session.ts';
import { ClaudeCode, RELEASES, toFolderName } from './client.ts';
import { findQuestion } from './sent.ts';

const ID = '5e551011-0000-4000-8000-000000000001';
const PROMPT = 'Where were we?';

let client: ClaudeCode;
let home: string;

beforeAll(async () => {
  client = new ClaudeCode();
  home = await realpath(await mkdtemp(join(tmpdir(), 'claude-code-move-')));
});
afterAll(async () => {
  client.close();
  await rm(home, { recursive: true });
});

it.each(RELEASES)(
  'a session of a project that has moved is gone on with there, by %s',
  async (release) => {
    const [old, now] = [join(home, `old-${release}`), join(home, `now-${release}`)];
    const store = join(home, '.claude/projects');
    await mkdir(join(store, toFolderName(old)), { recursive: true });
    await mkdir(now);
    const lines = [
      toNode('n1', null, 1, { ...user('Tidy up.'), cwd: old }),
      toNode('n2', 'n1', 2, { ...assistant('msg_1', text('Done.')), cwd: old }),
    ];
    await writeFile(join(store, toFolderName(old), `${ID}.jsonl`), toText(lines));
    const argv = ['migrate', '--store', store, '--cwd', `${old}=${now}`, '--apply'];
    const { exitCode, err } = await runTest([...argv, '--grace', '0s'], { home, cwd: home });
    expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
    expect(await readdir(store)).not.toContain(toFolderName(old));
    const args = ['-p', PROMPT, '--continue', '--output-format', 'json'];
    const ran = await client.run({ home, cwd: now, args, release });
    const question = findQuestion(ran.asked, PROMPT);
    expect(ran.exit).toBe(0);
    expect(JSON.stringify(question?.['messages'])).toContain('Tidy up.');
    expect(await readdir(join(store, toFolderName(now)))).toContain(`${ID}.jsonl`);
  },
);
