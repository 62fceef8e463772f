import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toSent } from '../../../../src/session/agents/claude-code/context/to-sent.ts';
import { readContext } from '../../../../src/session/read/read-context.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { takeSome } from '../../../harness/runs.ts';
import { SCRIPTED } from './asked-scripts.ts';
import { ASKED, describeSent } from './asked.ts';
import { toText } from './healthy-session.ts';

describe('sends what the client sends', () => {
  it.each([...ASKED, ...takeSome(SCRIPTED, 80)])('of $what', async ({ lines, sent }) => {
    const path = join(await makeTempDir(), 's.jsonl');
    await writeFile(path, toText(lines));
    const { messages } = await readContext(path);
    expect(describeSent(toSent(messages))).toEqual(sent);
  });
});
