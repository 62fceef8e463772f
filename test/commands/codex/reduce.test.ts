import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { runTest } from '../../memory-terminal.ts';
import {
  FIXTURES,
  getRecorded,
  placeIn,
  placeRecorded,
} from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';
import type { ReductionOutcome } from '../../../src/session/reduce/reduce-session.ts';
import { withoutSqlite } from '../../without-sqlite.ts';
import { toZstd } from '../../zstd-frames.ts';

async function compact(
  path: string,
  ...argv: readonly string[]
): Promise<ReductionOutcome | undefined> {
  const cwd = dirname(path);
  const { out, err } = await runTest(['compact', path, ...argv, '--json'], { cwd, home: cwd });
  if (out === '') throw new Error(err);
  return (JSON.parse(out) as { readonly results: readonly ReductionOutcome[] }).results[0];
}

/** Puts a longer output in both places of a recorded one. */
function lengthen(path: string): void {
  const long = JSON.stringify('a line of output\n'.repeat(100));
  const text = readFileSync(path, 'utf8');
  const keys = /("aggregated_output"|"output"):"(?:[^"\\]|\\.){0,5000}"/g;
  writeFileSync(
    path,
    text.replace(keys, (_, key: string) => `${key}:${long}`),
  );
}

const BASE64 =
  /base64,([^"]+)/.exec(readFileSync(join(FIXTURES, 'images.jsonl'), 'utf8'))?.[1] ?? '';
const PICTURE = `"image_url":"data:image/png;base64,${BASE64}"`;
const ITEM = `{"type":"input_image",${PICTURE},"detail":"high"}`;
/** Images in each place where Codex puts them, and six that could not be made again as they are. */
const PICTURES = [
  `{"type":"response_item","payload":{"type":"message","role":"user","content":[${ITEM}]}}`,
  `{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":[${ITEM}]}}`,
  `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"image",${PICTURE}}]}}}`,
  `{"type":"event_msg","payload":{"type":"user_message","message":"","images":["https://a.example/b.png","data:image/png;base64,${BASE64}"]}}`,
  `{"type":"response_item","payload":{"type":"message","role":"user","content":[${ITEM.replace('/png', String.raw`\/png`)}]}}`,
  `{"type":"response_item","payload":{"type":"message","role":"user","content":[${ITEM.replace('image/png', '')}]}}`,
  ...[
    '"type":"input_\\u0069mage"',
    '"text":"a caption","type":"input_image"',
    '"image_url":"","type":"input_image"',
  ].map(
    (type) =>
      `{"type":"response_item","payload":{"type":"message","role":"user","content":[${ITEM.replace('"type":"input_image"', type)}]}}`,
  ),
  `{"type":"response_item","payload":{"type":"message","role":"user","content":[${ITEM.replace('image/png', String.raw`image/x\"y`)}]}}`,
].map((line) => line.replace('{', '{"timestamp":"2026-11-21T21:30:00.000Z",'));

const LONG = 'a line of output\n'.repeat(500);
const CONTENT = [
  { type: 'text', text: LONG },
  { type: 'image', data: BASE64, mimeType: 'image/png' },
];
const SERVED = { content: CONTENT, structuredContent: { lines: LONG } };
const CALLED = { server: 'demo', tool: 'look', arguments: {} };
const MCP_ITEM = {
  type: 'McpToolCall',
  id: 'exec-1',
  ...CALLED,
  status: 'completed',
  result: SERVED,
};
const MCP_EVENT = {
  type: 'mcp_tool_call_end',
  call_id: 'exec-1',
  invocation: CALLED,
  result: { Ok: SERVED },
};

describe('compact with reducers, of a thread of Codex', () => {
  it.each(['linear-tools', 'legacy-linear'])(
    'cuts outputs wherever they stand: %s',
    async (name) => {
      const path = await placeRecorded(getRecorded(name));
      lengthen(path);
      utimesSync(path, 1_700_000_000, 1_700_000_000);
      const { mtimeMs } = statSync(path);
      const planned = await compact(path, '--tool-output', '300');
      expect(planned).toMatchObject({ action: 'reduce' });
      expect(await compact(path, '--tool-output', '300', '--apply')).toEqual(planned);
      expect(statSync(path)).toMatchObject({ size: planned?.bytesAfter, mtimeMs });
      const text = readFileSync(path, 'utf8');
      expect(text).not.toContain('a line of output\\n'.repeat(50));
      expect(text).toContain('bytes of output cut by coppice');
    },
  );

  it.each([
    ['linear-tools', { type: 'item_completed', thread_id: 't', turn_id: 'u', item: MCP_ITEM }],
    ['legacy-linear', MCP_EVENT],
  ])('changes what tools of servers gave back, as people are shown it: %s', async (name, made) => {
    const path = await placeRecorded(getRecorded(name));
    const before = readFileSync(path, 'utf8');
    const ordinal = name === 'legacy-linear' ? '' : '"ordinal":500,';
    const stamp = `{"timestamp":"2026-11-21T21:30:00.000Z",${ordinal}"type":"event_msg","payload":`;
    const text = `${before}${stamp}${JSON.stringify(made)}}\n`;
    writeFileSync(path, text);
    await compact(path, '--images', 'extract', '--apply', '--grace', '0s');
    expect(readFileSync(path, 'utf8')).not.toContain(BASE64);
    await compact(path, '--images', 'restore', '--apply', '--grace', '0s');
    expect(readFileSync(path, 'utf8')).toBe(text);
    await compact(path, '--tool-output', '300', '--images', 'drop', '--apply', '--grace', '0s');
    const after = readFileSync(path, 'utf8');
    expect(after).toContain('bytes of output cut by coppice');
    expect(after).toContain('[image left out by coppice: image/png');
    expect(after.length).toBeLessThan(before.length + 1500);
    const { out } = await runTest(['export', path, '--as', 'text'], { cwd: dirname(path) });
    expect(out).toContain('> mcp__demo__look {}');
  });

  it.each(['FileChange', 'patch_apply_end', 'DynamicToolCall'])(
    'cuts what people are shown of other calls: %s',
    async (type) => {
      const path = await placeRecorded(getRecorded('linear-tools'));
      const parts = [{ type: 'inputText', text: LONG }];
      const item = { type, call_id: 'c', id: 'c', stdout: LONG, content_items: parts };
      const isItem = !type.includes('_');
      const payload = isItem
        ? { type: 'item_completed', thread_id: 't', turn_id: 'u', item }
        : item;
      const line = {
        timestamp: '2026-11-21T21:30:00.000Z',
        ordinal: 500,
        type: 'event_msg',
        payload,
      };
      writeFileSync(path, `${readFileSync(path, 'utf8')}${JSON.stringify(line)}\n`);
      await compact(path, '--tool-output', '300', '--apply', '--grace', '0s');
      const kept = type === 'DynamicToolCall' ? 'stdout' : 'content_items';
      const [last = ''] = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-1);
      expect(last).toContain('bytes of output cut by coppice');
      expect(last).toContain(JSON.stringify(kept === 'stdout' ? LONG : parts));
    },
  );

  it('drops images from items and events', async () => {
    const path = await placeRecorded(getRecorded('images'));
    expect(await compact(path, '--images', 'drop', '--apply')).toMatchObject({ action: 'reduce' });
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain('data:image');
    expect(text).toContain('[image left out by coppice: image/png');
    for (const line of text.split('\n').filter(Boolean)) JSON.parse(line);
  });

  it('takes images out of every place, and puts back the same bytes', async () => {
    const path = await placeRecorded(getRecorded('compacted-auto'));
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    lines.splice(-1, 0, ...PICTURES);
    const held = `{"type":"message","role":"user","content":[${ITEM}]}`;
    const text = lines
      .join('\n')
      .replaceAll('"replacement_history":[', `$&${held},`)
      .replaceAll('"replacement_history_metadata":[', '$&{},');
    writeFileSync(path, `${text}\n`);
    const before = readFileSync(path);
    expect(text.split(BASE64).length - 1).toBe(12);
    const planned = await compact(path, '--images', 'extract');
    // Those of the newest compaction, of another writing, beside a text, and without a plain type are left.
    expect(planned?.savings).toMatchObject([{ reducer: 'images', count: 5 }]);
    expect(await compact(path, '--images', 'extract', '--apply')).toEqual(planned);
    const after = readFileSync(path, 'utf8');
    expect(after.match(/images_taken_out":\[null,"\[image taken out by coppice: /g)).toHaveLength(
      1,
    );
    expect(after.split(BASE64).length - 1).toBe(7);
    expect(readdirSync(path.replace('.jsonl', ''))).toHaveLength(1);
    expect(await compact(path, '--images', 'restore', '--grace', '0s', '--apply')).toMatchObject({
      action: 'restore',
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('empties what a later compaction replaces, and never the newest', async () => {
    const path = await placeRecorded(getRecorded('compacted-auto'));
    const before = await readContext(path);
    const result = await compact(path, '--superseded-state', '--apply');
    expect(result).toMatchObject({ action: 'reduce' });
    expect(result?.reasons.join()).toMatch(
      /before its last compaction is no longer possible; that one \([\d,]+ bytes\)/,
    );
    expect((await readContext(path)).messages).toEqual(before.messages);
    const histories = readFileSync(path, 'utf8').match(/"replacement_history":\[.?/g);
    expect(histories).toContain('"replacement_history":[]');
    expect(histories).toContain('"replacement_history":[{');
    expect(await compact(path, '--superseded-state', '--grace', '0s')).toMatchObject({
      action: 'unchanged',
    });
  });

  it('says of a compressed thread that it has to be decompressed first, also where it would take out images', async () => {
    const path = await placeRecorded(getRecorded('images'));
    const packed = `${path}.zst`;
    writeFileSync(packed, toZstd(readFileSync(path)));
    rmSync(path);
    const reasons = ['is compressed; run coppice compact --decompress first'];
    for (const argv of [
      ['--images', 'extract'],
      ['--images', 'drop'],
      ['--tool-output', '1kB'],
    ]) {
      expect(await compact(packed, ...argv)).toMatchObject({ action: 'skip', reasons });
    }
  });

  it('leaves what another thread goes on from', async () => {
    const home = await makeTempDir();
    await placeIn(home, getRecorded('fork-child'));
    const path = await placeIn(home, getRecorded('fork-parent'));
    const before = readFileSync(path);
    const result = await compact(path, '--tool-output', '200', '--superseded-state', '--apply');
    expect(result).toMatchObject({ action: 'unchanged' });
    expect(result?.reasons.join()).toContain('has of it are kept');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('leaves a thread whose databases the environment has elsewhere', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    lengthen(path);
    const elsewhere = join(await makeTempDir(), 'state_5.sqlite');
    writeFileSync(elsewhere, '');
    const world = { cwd: dirname(path), env: { CODEX_SQLITE_HOME: dirname(elsewhere) } };
    const { out } = await runTest(['compact', path, '--tool-output', '300', '--json'], world);
    const { results } = JSON.parse(out) as { results: readonly ReductionOutcome[] };
    expect(results[0]?.reasons.join()).toContain('are in another directory');
  });

  it('leaves a thread whose list of turns is in a database that cannot be read', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    lengthen(path);
    const home = path.slice(0, path.indexOf('/sessions/'));
    writeFileSync(join(home, 'thread_history_1.sqlite'), 'no database');
    expect(await compact(path, '--tool-output', '300', '--apply')).toMatchObject({
      action: 'skip',
    });
  });

  it('removes the rows that count its bytes, or changes nothing where this Node cannot', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    lengthen(path);
    const home = path.slice(0, path.indexOf('/sessions/'));
    mkdirSync(home, { recursive: true });
    const [, id = ''] = /-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/.exec(path) ?? [];
    const file = join(home, 'thread_history_1.sqlite');
    const made = new sqlite.Database(file);
    made.exec(
      'CREATE TABLE thread_history_projection_state (thread_id TEXT PRIMARY KEY, ' +
        'next_rollout_byte_offset INTEGER, next_rollout_ordinal INTEGER)',
    );
    made.run('INSERT INTO thread_history_projection_state VALUES (?, 100, 1), (?, 5, 1)', [
      id,
      'other',
    ]);
    made.close();
    const before = readFileSync(path);
    const reduce = async () => {
      const result = await compact(path, '--tool-output', '300', '--apply');
      const database = new sqlite.Database(file);
      const rows = database.all('SELECT thread_id FROM thread_history_projection_state');
      database.close();
      const left = rows.map(({ thread_id: one }) => one);
      return { action: result?.action, left, isSame: readFileSync(path).equals(before) };
    };
    const preview = await withoutSqlite(() => compact(path, '--tool-output', '300'));
    expect(preview?.action).toBe('fail');
    expect(preview?.reasons.join()).toContain('cannot write to the databases of the agent');
    const failed = await withoutSqlite(reduce);
    expect(failed).toEqual({ action: 'fail', left: [id, 'other'], isSame: true });
    expect(await reduce()).toEqual({ action: 'reduce', left: ['other'], isSame: false });
  });
});
