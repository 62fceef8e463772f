import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixSession } from '../../../src/session/validate/fix-session.ts';
import { describeSent } from '../../session/agents/claude-code/asked.ts';
import { talk } from '../../session/agents/claude-code/asked-lines.ts';
import { toText } from '../../session/agents/claude-code/healthy-session.ts';
import { useClient } from './use-client.ts';

const { client, dir } = useClient();

async function ask(name: string, content: string) {
  const path = join(dir, name);
  await writeFile(path, content);
  const { context } = await client.resume(path);
  return { path, sent: describeSent(context ?? []) };
}

const [first, second, third = '', fourth] = talk.map((line) => JSON.stringify(line));

describe.concurrent('a record on several lines', () => {
  it.each([
    ['pretty', JSON.stringify(talk[2], null, 2)],
    ['windows', JSON.stringify(talk[2], null, 2).replaceAll('\n', '\r\n')],
    ['token', third.replace('"uuid":', '"uuid"\n\n:')],
  ])(
    'is sent as one on one line, and --fix does not take it for lost: %s',
    async (name, spread) => {
      const { sent } = await ask(`${name}-whole.jsonl`, toText(talk));
      const content = `\0${first}\n${second}\n${spread}\n${fourth}\n`;
      const { path, sent: before } = await ask(`${name}.jsonl`, content);
      expect(before).toEqual(sent.slice(-before.length));
      expect(before.length).toBeGreaterThan(2);
      const outcome = await fixSession(path, { levels: new Map(), dryRun: false, now: () => 0 });
      expect(outcome).toMatchObject({ action: 'skip', repaired: [] });
      expect(await readFile(path, 'utf8')).toBe(content);
    },
  );

  it('is not read where it is cut in the middle of a string', async () => {
    const cut = third.replace('"uuid"', '"uu\nid"');
    const { sent } = await ask('cut.jsonl', `${first}\n${second}\n${cut}\n${fourth}\n`);
    expect(sent).toEqual(['u n1', 'a n2', 'a n4']);
  });
});
