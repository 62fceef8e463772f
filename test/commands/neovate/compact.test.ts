import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import {
  buildHealthy,
  SESSION_ID,
  toMessage,
  toText,
} from '../../session/agents/neovate/healthy-session.ts';
import { findNextParent, loadNeovate } from '../../session/agents/neovate/neovate-loader.ts';
import { getRecorded, OPENED } from '../../session/agents/neovate/recorded.ts';
import { writeFiles } from '../../temp-dir.ts';
import { makeHome, type NeovateHome, PROJECT } from './world.ts';

const FILE = `${PROJECT}/${SESSION_ID}.jsonl`;

let world: NeovateHome;
let path: string;

beforeEach(async () => {
  world = await makeHome({ withPi: true });
  path = join(world.home, FILE);
});

const uuids = (text: string): readonly string[] => loadNeovate(text).map(({ uuid }) => uuid);

async function compact(content: string, ...args: string[]) {
  await writeFile(path, content);
  const [result] = await world.results('compact', FILE, '--grace', '0min', ...args);
  return { result, text: await readFile(path, 'utf8') };
}

/** What the agent writes when a person goes on. */
function goOn(text: string): string {
  const message = { role: 'user', content: 'On.', uuid: 'on', parentUuid: findNextParent(text) };
  return text + toText([toMessage(message, 9000)]);
}

describe('compact of a Neovate session', () => {
  it.each(OPENED.filter((one) => one.uuids.length > 0))(
    'appends the summary as the agent does, and the next prompt hangs on it: $name',
    async ({ text }) => {
      const { result, text: after } = await compact(text, '--force', '--apply');
      expect(result).toMatchObject({ action: 'compact', compaction: { firstKeptEntryId: null } });
      expect(after.startsWith(text)).toBe(true);
      const [summary, ...others] = loadNeovate(after);
      expect(others).toEqual([]);
      expect(summary).toMatchObject({
        role: 'user',
        parentUuid: null,
        uiContent: 'Chat history compacted successfully.',
        sessionId: SESSION_ID,
        content: [{ type: 'text', text: expect.stringContaining('## Goal') as string }],
      });
      expect(summary?.uuid).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      expect(uuids(goOn(after))).toEqual([summary?.uuid, 'on']);
    },
  );

  it('leaves a session without findings that it did not have', async () => {
    await compact(toText(buildHealthy()), '--force', '--apply');
    const validation = await validateSession(path, { levels: new Map() });
    expect(validation?.findings).toEqual([]);
  });

  it('hands an earlier summary on, and does nothing twice', async () => {
    const once = await compact(getRecorded('compacted-slash').text, '--force', '--apply');
    expect(JSON.stringify(loadNeovate(once.text))).toContain('Question three');
    const twice = await compact(once.text, '--force', '--apply');
    expect(twice.result).toMatchObject({ action: 'unchanged' });
    expect(twice.text).toBe(once.text);
  });

  it.each([
    [159_900, 'unchanged'],
    [160_000, 'compact'],
  ])('is due by what the last answer reported: %d tokens', async (tokens, action) => {
    const usage = { input_tokens: tokens - 100, output_tokens: 100 };
    const last = { role: 'assistant', content: 'x', uuid: 'z', parentUuid: 'last', usage };
    const { result } = await compact(toText([...buildHealthy(), toMessage(last, 50)]));
    expect(result).toMatchObject({ action, compaction: { tokensBefore: tokens } });
  });

  it('follows the setting that turns it off', async () => {
    await writeFiles(world.home, { '.neovate/config.json': '{"autoCompact":false}' });
    const { result } = await compact(toText(buildHealthy()));
    expect(result).toMatchObject({
      action: 'unchanged',
      reasons: ['compaction is turned off in the settings'],
    });
  });

  it('skips one that the agent would not open', async () => {
    const { result } = await compact(
      getRecorded('broken-torn-last-line').text,
      '--force',
      '--apply',
    );
    expect(result).toMatchObject({ action: 'skip' });
  });

  it('works on both agents in one go', async () => {
    const results = await world.results('compact', '--grace', '0min');
    const paths = results.map((result) => String(result['path']));
    expect(paths.filter((one) => one.includes('/.pi/'))).toHaveLength(1);
    expect(paths.filter((one) => one.includes('/.neovate/'))).toHaveLength(4);
  });
});

describe('compact of a Neovate session, with reducers', () => {
  it('takes images out into files, and puts them back byte for byte', async () => {
    for (const name of ['image-attachment', 'linear-tools']) {
      const { text } = getRecorded(name);
      const out = await compact(text, '--images', 'extract', '--apply');
      expect(out.result).toMatchObject({ action: 'reduce' });
      expect(out.text.replace(/^.*"type":"config".*$/m, '')).not.toContain('iVBORw0KGgo');
      expect(uuids(out.text)).toEqual(uuids(text));
      const back = await compact(out.text, '--images', 'restore', '--apply');
      expect(back.text).toBe(text);
    }
  });

  it('puts a note in the place of an image that is dropped', async () => {
    const { text } = await compact(getRecorded('linear-tools').text, '--images', 'drop', '--apply');
    expect(text).toContain('[image left out by coppice: image/png, 75 bytes]');
    expect(loadNeovate(text)).toHaveLength(14);
  });

  it('cuts what tools said, to the model and to the person', async () => {
    const long = 'x'.repeat(5000);
    const { text: before } = getRecorded('linear-tools');
    const output = JSON.stringify(`${long} end`);
    const grown = before.replaceAll(/"(llmContent|returnDisplay)":"[^"\\]*"/g, `"$1":${output}`);
    const { text } = await compact(grown, '--tool-output', '1000B', '--apply');
    expect(text.includes(long)).toBe(false);
    expect(text).toContain('bytes of output cut by coppice');
    expect(uuids(text)).toEqual(uuids(before));
    expect((await compact(text, '--tool-output', '1000B', '--apply')).text).toBe(text);
  });

  it('takes out branches beside the path, with the backups made for them', async () => {
    const backup = { type: 'snapshot', messageId: 'beside', trackedFileBackups: {} };
    const beside = { role: 'user', content: 'x', uuid: 'beside', parentUuid: 'next' };
    const lines = buildHealthy().toSpliced(9, 0, toMessage(beside, 8), backup);
    const { text } = await compact(toText(lines), '--abandoned-branches', '--apply');
    expect(text).toBe(toText(buildHealthy()));
  });

  it('takes out what a summary stands for, but for its ends and other branches', async () => {
    const before = toText(buildHealthy());
    const { text } = await compact(before, '--summarized', '--apply');
    expect(loadNeovate(text)).toEqual(loadNeovate(before));
    const left = text.match(/"uuid":"(\w+)"/g)?.map((found) => found.slice(8, -1));
    // `left` is another branch of `results`; `done` is the last that was summarized.
    expect(left).toEqual([
      'ask',
      'call',
      'results',
      'left',
      'done',
      'summary',
      'next',
      'old',
      'oldResult',
      'last',
    ]);
    const both = await compact(before, '--summarized', '--abandoned-branches', '--apply');
    expect(loadNeovate(both.text)).toEqual(loadNeovate(before));
  });

  it('follows summaries of summaries', async () => {
    const once = await compact(getRecorded('compacted-slash').text, '--force', '--apply');
    const { text } = await compact(goOn(once.text), '--summarized', '--apply');
    expect(uuids(text)).toEqual(uuids(goOn(once.text)));
    // Of two stretches the ends, the summary, and what was said since.
    expect(text.match(/"type":"message"/g)).toHaveLength(6);
  });

  it('refuses to look for state that Neovate does not keep', async () => {
    await writeFile(path, toText(buildHealthy()));
    const { exitCode, err } = await world.run('compact', FILE, '--superseded-state');
    expect(exitCode).toBe(2);
    expect(err).toContain(
      '--superseded-state: sessions of neovate hold no state that is written repeatedly',
    );
  });
});
