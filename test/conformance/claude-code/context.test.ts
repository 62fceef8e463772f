import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeSome } from '../../harness/runs.ts';
import { SCRIPTED } from '../../session/agents/claude-code/asked-scripts.ts';
import { ASKED, describeSent } from '../../session/agents/claude-code/asked.ts';
import { toText } from '../../session/agents/claude-code/healthy-session.ts';
import { ClaudeCode } from './client.ts';

const SOME = process.env['COPPICE_LONG'] === '1' ? SCRIPTED : takeSome(SCRIPTED, 24);
let client: ClaudeCode;
const dir = await mkdtemp(join(tmpdir(), 'coppice-test-'));

beforeAll(() => {
  client = new ClaudeCode();
});
afterAll(async () => {
  client.close();
  await rm(dir, { recursive: true });
});

describe.concurrent('the client sends what our tests expect', () => {
  it.each([...ASKED, ...SOME])('of $what', async ({ what, lines, sent }) => {
    const path = join(dir, `${what.replaceAll(':', '-')}.jsonl`);
    await writeFile(path, toText(lines));
    const { context } = await client.resume(path);
    expect(describeSent(context ?? [])).toEqual(sent);
  });
});
