import { copyFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '../../../../src/session/model/summary.ts';
import { summarizeSession } from '../../../../src/session/read/summaries/summarize-session.ts';
import { makeTempDir, writeFiles } from '../../../temp-dir.ts';
import { getRecorded, RECORDED } from './recorded.ts';

async function summarize(path: string): Promise<SessionSummary> {
  const summary = await summarizeSession(path, { usage: true });
  if ('kind' in summary) throw new Error(`${path} is ${summary.kind}`);
  return summary;
}

/** As Neovate 0.17.1 shows it: 50 characters, white space collapsed. */
function toTitle({ name, firstMessage }: SessionSummary): string {
  const title = (name ?? firstMessage).replace(/\s+/g, ' ');
  return name === null && title.length > 50 ? `${title.slice(0, 50)}...` : title;
}

/** Where the real listing shows no title, or a newer release another one, we say more. */
const SAYS_MORE = new Set(['image-attachment', 'config-only', 'newer-snapshot-title']);

describe('the row of a Neovate session in a listing', () => {
  it.each(RECORDED)('counts as the real listing does: $name', async ({ path, row }) => {
    expect((await summarize(path)).messageCount).toBe(row.messageCount);
  });

  it.each(RECORDED.filter(({ name }) => !SAYS_MORE.has(name)))(
    'has the title of the real listing: $name',
    async ({ path, row }) => {
      expect(toTitle(await summarize(path))).toBe(row.summary);
    },
  );

  it('has a title where the real listing shows none', async () => {
    const image = await summarize(getRecorded('image-attachment').path);
    expect(image.firstMessage).toBe('What is in [Image 8X8 logo.png#1] ?');
    const config = await summarize(getRecorded('config-only').path);
    expect(config).toMatchObject({ firstMessage: '(no messages)', userMessageCount: 0 });
  });

  it('prefers the title that a person gave, as newer releases do', async () => {
    const { name } = await summarize(getRecorded('newer-snapshot-title').path);
    expect(name).toBe('Renamed by user');
  });

  it('is last active when the file was written, as the real listing has it', async () => {
    const path = join(await makeTempDir(), 'abcd1234.jsonl');
    await copyFile(getRecorded('linear-tools').path, path);
    await utimes(path, 1_700_000_000, 1_700_000_000);
    expect(await summarize(path)).toMatchObject({
      id: 'abcd1234',
      created: '2026-11-20T23:57:20.919Z',
      modified: '2023-11-14T22:13:20.000Z',
      models: ['anthropic/claude-sonnet-4-5-20250929'],
    });
  });

  it('counts tokens, and branches', async () => {
    const { usage, leafCount } = await summarize(getRecorded('forked').path);
    expect(leafCount).toBe(2);
    expect(usage).toMatchObject({ input: 5300, output: 265, totalTokens: 5565, cost: 0 });
  });

  it.each([
    ['broken-torn-last-line', 'line-malformed', 'line 14 does not parse: Neovate does not open it'],
    ['broken-self-parent', 'entry-cycle', 'its path is a cycle: Neovate hangs'],
  ])('says why the agent would not open it: %s', async (name, code, message) => {
    expect((await summarize(getRecorded(name).path)).problem).toEqual({ code, message });
  });

  it.each([
    ['white space', ' \n', 'line-blank'],
    ['a blank line with CRLF', '\r\n', 'line-blank'],
    ['null', 'null\n', 'line-not-object'],
  ])('knows what else the agent stumbles over: %s', async (_, line, code) => {
    const dir = await makeTempDir();
    await writeFiles(dir, { 'x.jsonl': getRecorded('model-switch').text + line });
    expect((await summarize(`${dir}/x.jsonl`)).problem?.code).toBe(code);
  });

  it.each([['a byte order mark', '\ufeff']])(
    'knows what stands at the start: %s',
    async (_, start) => {
      const dir = await makeTempDir();
      await writeFiles(dir, { 'x.jsonl': start + getRecorded('model-switch').text });
      expect((await summarize(`${dir}/x.jsonl`)).problem?.code).toBe('file-bom');
    },
  );

  it('opens what the agent opens: blank lines, no last line feed, numbers, unknown types', async () => {
    const dir = await makeTempDir();
    const odd = '\n\n5\n"text"\n{"type":"some-new-thing"}';
    await writeFiles(dir, { 'x.jsonl': getRecorded('model-switch').text + odd });
    const summary = await summarize(`${dir}/x.jsonl`);
    expect(summary).not.toHaveProperty('problem');
    expect(summary.messageCount).toBe(7);
  });

  it('finds the parent of a fork beside it', async () => {
    const dir = await makeTempDir();
    const message = { type: 'message', uuid: 'a', parentUuid: null, role: 'user', content: 'x' };
    const forkedFrom = { sessionId: '0123abcd', messageUuid: 'a' };
    await writeFiles(dir, { 'x.jsonl': [{ ...message, forkedFrom }] });
    const { parentSessionPath } = await summarize(`${dir}/x.jsonl`);
    expect(parentSessionPath).toBe(`${dir}/0123abcd.jsonl`);
  });
});
