import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { getDialect } from '../../../src/session/agents/index.ts';
import { ClaudeCode, RELEASES, toFolderName } from './client.ts';

let client: ClaudeCode;
let dir: string;

beforeAll(() => {
  client = new ClaudeCode();
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'claude-code-emptied-')));
});
afterAll(() => {
  client.close();
  rmSync(dir, { recursive: true, force: true });
});

/** The texts of the session files in a directory that may not be there. */
function readSessions(project: string): string {
  try {
    const files = readdirSync(project).filter((name) => name.endsWith('.jsonl'));
    return files.map((name) => readFileSync(join(project, name), 'utf8')).join('');
  } catch {
    return '';
  }
}

describe.concurrent('a project is removed while the real client has a session of it open', () => {
  it('needs no directory that is left for the client', ({ expect }) => {
    expect(getDialect('claude-code').places.needsDirectory).toBeUndefined();
  });

  it.for(RELEASES)('%s makes the directory again when it writes', async (release, { expect }) => {
    const home = mkdtempSync(join(dir, 'home-'));
    const cwd = join(home, 'work');
    mkdirSync(cwd);
    const project = join(home, '.claude/projects', toFolderName(cwd));
    const ask = async (prompt: string, more: readonly string[] = []) => {
      let removal: Promise<void> | undefined;
      const remove = async (): Promise<void> => {
        // What it writes at once is written; the prompt is not.
        while (!readSessions(project).includes('"dequeue"')) await setTimeout(10);
        rmSync(project, { recursive: true, force: true });
      };
      const args = ['-p', prompt, '--output-format', 'json', ...more];
      const reply = `Answer to: ${prompt}`;
      // It asks several things at once.
      const onAsked = () => (removal ??= remove());
      const { exit } = await client.run({ home, cwd, release, reply, onAsked, args });
      expect(exit).toBe(0);
      expect(readSessions(project)).toContain(reply);
    };
    await ask('The first prompt.');
    await ask('The second prompt.', ['--continue']);
  });
});
