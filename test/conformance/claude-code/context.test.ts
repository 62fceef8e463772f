import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeSome } from '../../harness/runs.ts';
import { SCRIPTED } from '../../session/agents/claude-code/asked-scripts.ts';
import { ASKED, describeSent } from '../../session/agents/claude-code/asked.ts';
import { toText } from '../../session/agents/claude-code/healthy-session.ts';
import { useClient } from './use-client.ts';

const SOME = process.env['COPPICE_LONG'] === '1' ? SCRIPTED : takeSome(SCRIPTED, 24);
const { client, dir } = useClient();

describe.concurrent('the client sends what our tests expect', () => {
  it.each([...ASKED, ...SOME])('of $what', async ({ what, lines, sent }) => {
    const path = join(dir, `${what.replaceAll(':', '-')}.jsonl`);
    await writeFile(path, toText(lines));
    const { context } = await client.resume(path);
    expect(describeSent(context ?? [])).toEqual(sent);
  });
});
