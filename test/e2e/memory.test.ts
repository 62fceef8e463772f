import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { getRecorded, placeRecorded } from '../session/agents/codex/corpus.ts';
import { toSession, user } from '../session-lines.ts';
import { makeOld, makeTempDir, writeFiles } from '../temp-dir.ts';
import { runBinary } from './run-binary.ts';

const COUNTER = fileURLToPath(new URL('count-live.mjs', import.meta.url));
const MB = 1e6;
const LINE_BYTES = 5 * MB;
const URL_OF_IMAGE = `data:image/png;base64,iVBORw0KGgo${'A'.repeat(LINE_BYTES)}`;

/** A thread whose prompts have an image each, of which the client has stored every one twice. */
async function makeThread(turns: number): Promise<string> {
  const recorded = getRecorded('linear-tools');
  const [header = ''] = readFileSync(await placeRecorded(recorded), 'utf8').split('\n');
  const path = join(await makeTempDir(), recorded.place);
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w');
  let ordinal = 0;
  const write = (type: string, payload: object): void => {
    ordinal += 1;
    const timestamp = '2026-11-13T00:00:00.000Z';
    writeSync(file, `${JSON.stringify({ timestamp, ordinal, type, payload })}\n`);
  };
  writeSync(file, `${header}\n`);
  for (let turn = 0; turn < turns; turn += 1) {
    const ids = { turn_id: `0199a3f1-0000-7000-8000-${String(turn).padStart(12, '0')}` };
    const look = { type: 'input_text', text: `Look at ${turn}` };
    const image = { type: 'input_image', image_url: URL_OF_IMAGE };
    const shown = { type: 'image', image_url: URL_OF_IMAGE };
    const seen = [{ type: 'output_text', text: 'Seen.' }];
    const item = {
      type: 'UserMessage',
      id: `i${turn}`,
      content: [{ ...look, type: 'text' }, shown],
    };
    write('event_msg', { type: 'task_started', ...ids });
    write('response_item', { type: 'message', role: 'user', content: [look, image] });
    write('event_msg', { type: 'item_completed', thread_id: ids.turn_id, ...ids, item });
    write('response_item', { type: 'message', role: 'assistant', content: seen });
    write('event_msg', { type: 'task_complete', ...ids, last_agent_message: 'Seen.' });
  }
  closeSync(file);
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  return path;
}

async function countLive(path: string, args: readonly string[]) {
  const counts = join(await makeTempDir(), 'counts.json');
  const env = { NODE_OPTIONS: `--import ${COUNTER}`, COUNT_LIVE: counts, HOME: dirname(counts) };
  // In this process, where it is counted.
  const run = await runBinary([...args, path, '--json', '--jobs', '1'], { env });
  const { read, live } = JSON.parse(readFileSync(counts, 'utf8')) as Record<
    'read' | 'live',
    number
  >;
  return { run, read, live };
}

const TURNS = 3;

describe('the memory of a thread with images of 5 MB', () => {
  it('does not grow with the file', async () => {
    const [small, large] = [await makeThread(TURNS), await makeThread(4 * TURNS)];
    for (const words of [
      'list --no-cache',
      'validate',
      'prune --larger-than 1MB',
      'compact --images drop',
      'fork --dry-run',
      // Last, since nothing remains to be read.
      'compact --images drop --apply',
    ]) {
      const args = words.split(' ');
      const [few, many] = [await countLive(small, args), await countLive(large, args)];
      expect.soft(many.run, words).toMatchObject({ code: 0, err: '' });
      expect.soft(many.read, words).toBeGreaterThan(4 * TURNS * 2 * LINE_BYTES);
      // A line may have been let go just after the counter looked.
      expect.soft(many.live, words).toBeLessThan(few.live + LINE_BYTES);
      expect.soft(many.live / MB, words).toBeLessThan(80);
    }
    expect(readFileSync(large).length).toBeLessThan(MB);
  });
});

/** A session of pi with answers of that many characters. */
async function makeAnswers(count: number): Promise<string> {
  const path = join(await makeTempDir(), '2026-11-13T00-00-00-000Z_0199a3f1.jsonl');
  const file = openSync(path, 'w');
  const timestamp = '2026-11-13T00:00:00.000Z';
  const header = { type: 'session', version: 3, id: '0199a3f1', timestamp, cwd: '/home/u' };
  writeSync(file, `${JSON.stringify(header)}\n`);
  for (let at = 0; at < count; at += 1) {
    const [id, parentId] = [`a${at}`, at === 0 ? null : `a${at - 1}`];
    const content = [{ type: 'text', text: `Answer ${at}. `.repeat(LINE_BYTES / 10) }];
    const message = { role: 'assistant', content, timestamp: 1_763_000_000_000 };
    writeSync(file, `${JSON.stringify({ type: 'message', id, parentId, timestamp, message })}\n`);
  }
  closeSync(file);
  return path;
}

describe('the memory of a session with answers of 5 MB', () => {
  it('does not grow with what they say', async () => {
    const [small, large] = [await makeAnswers(TURNS), await makeAnswers(4 * TURNS)];
    const args = ['list', '--entries'];
    const [few, many] = [await countLive(small, args), await countLive(large, args)];
    expect(many.run).toMatchObject({ code: 0, err: '' });
    expect(many.read).toBeGreaterThan(4 * TURNS * LINE_BYTES);
    expect(many.live).toBeLessThan(few.live + LINE_BYTES);
  });
});

/** The number of entries that need more memory than the runs below have. */
const MANY = 400_000;

describe('a session with more entries than fit into memory', () => {
  it('is reported, and the others are done', async () => {
    const store = await makeTempDir();
    const files = [join(store, 'many.jsonl'), join(store, 'few.jsonl')];
    const prompt = user('hello');
    await writeFiles(store, {
      'many.jsonl': toSession(Array.from({ length: MANY }, () => prompt)),
      'few.jsonl': toSession([prompt]),
    });
    await makeOld(files);
    const env = { NODE_OPTIONS: '--max-old-space-size=80', HOME: store };
    for (const words of ['validate', 'compact --force', `export --as text --out ${store}/out`]) {
      const { code, out } = await runBinary([...words.split(' '), ...files, '--json'], { env });
      const { results } = JSON.parse(out) as { results: readonly { readonly path: string }[] };
      const isShort = (one: object): boolean =>
        JSON.stringify(one).includes('has too many entries for the memory of Node');
      expect({ words, code, failed: results.filter(isShort).map(({ path }) => path) }).toEqual({
        words,
        code: 3,
        failed: [files[0]],
      });
    }
    expect(readdirSync(join(store, 'out')).filter((name) => name.endsWith('.txt'))).toHaveLength(1);
  });
});
