import { describe, expect, it } from 'vitest';
import { createCommand } from '../../src/summarize/command.ts';

function run(command: string, { timeoutMs = 600_000, signal = new AbortController().signal } = {}) {
  const options = { command, env: process.env, cwd: process.cwd(), windowTokens: 100_000 };
  return createCommand({ ...options, timeoutMs })
    .summarize({
      kind: 'history',
      messages: [{ role: 'user', from: 'person', text: 'ship it' }],
      maxTokens: 1000,
      signal,
    })
    .catch((error: Error) => `${error.name}: ${error.message}`);
}

describe('command', () => {
  it('gives the prompt on stdin and takes the summary from stdout', async () => {
    expect(await run("echo '## Goal'; grep 'ship it'")).toEqual({
      text: '## Goal\n[User]: ship it',
    });
  });

  it('takes the answer of a program that does not read its input', async () => {
    expect(await run("echo '## Goal'")).toEqual({ text: '## Goal' });
  });

  it.each([
    ['fails', 'echo no model >&2; exit 3', 'the command failed (exit 3): no model'],
    ['prints nothing', 'true', 'the command printed nothing'],
    ['prints no summary', 'echo hello', 'the answer is not a summary: it has no headings'],
    ['is not there', 'no-such-program-here', 'the command failed (exit 127)'],
  ])('takes nothing from a program that %s', async (_, command, message) => {
    expect(await run(command)).toContain(`SummaryError: ${message}`);
  });

  it('ends a program that takes too long, with what it has started', async () => {
    const outcome = await run('sleep 60 & echo $! >&2; wait', { timeoutMs: 100 });
    expect(outcome).toBe('SummaryError: the command took longer than 0.1 s');
  });

  it('stops when the run is stopped', async () => {
    expect(await run('sleep 60', { signal: AbortSignal.timeout(20) })).toMatch(/^TimeoutError/);
  });
});
