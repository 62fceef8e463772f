import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getRecorded, placeRecorded } from '../../session/agents/codex/corpus.ts';
import { runTest } from '../../memory-terminal.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';
const CONTENT = [
  { type: 'text', text: 'MCP TEXT' },
  { type: 'image', data: PIXEL, mimeType: 'image/png' },
];
const CALLED = { server: 'demo', tool: 'look', arguments: { q: 'one' } };

/** Writes lines behind a recorded file, as 0.171.0 writes them. */
async function exportWith(name: string, events: readonly object[], format = 'text') {
  const path = await placeRecorded(getRecorded(name));
  const text = await readFile(path, 'utf8');
  const [thread_id, turn_id] = ['01a20008-b725-7a50-80bf-c8012c3a8d47', 'turn'];
  const lines = events.map((event, at) => {
    const payload =
      'item' in event ? { type: 'item_completed', thread_id, turn_id, ...event } : event;
    const ordinal = text.includes('"ordinal"') ? { ordinal: 500 + at } : {};
    const timestamp = '2026-11-29T22:30:32.808Z';
    return `${JSON.stringify({ timestamp, ...ordinal, type: 'event_msg', payload })}\n`;
  });
  await writeFile(path, text + lines.join(''));
  return (await runTest(['export', path, '--as', format], { cwd: dirname(path) })).out;
}

describe('what only code mode called', () => {
  it.each([
    [
      'a tool of a server',
      { type: 'McpToolCall', ...CALLED, status: 'completed', result: { content: CONTENT } },
      ['> mcp__demo__look {"q":"one"}', 'Tool result: mcp__demo__look ·', 'MCP TEXT', '[image:'],
    ],
    [
      'one that failed',
      { type: 'McpToolCall', ...CALLED, status: 'failed', result: { content: [], isError: true } },
      ['Tool result: mcp__demo__look (error)'],
    ],
    [
      'one that gave an error',
      { type: 'McpToolCall', ...CALLED, status: 'failed', error: { message: 'timed out' } },
      ['Tool result: mcp__demo__look (error)', 'timed out'],
    ],
    [
      'a tool of a client',
      {
        type: 'DynamicToolCall',
        tool: 'ask',
        arguments: { q: 'two' },
        status: 'completed',
        content_items: [{ type: 'inputText', text: 'DYNAMIC' }],
        success: true,
      },
      ['> ask {"q":"two"}', 'Tool result: ask ·', 'DYNAMIC'],
    ],
    [
      'a search',
      { type: 'WebSearch', query: 'x', action: { type: 'search', query: 'x' } },
      ['> web_search {"type":"search","query":"x"}'],
    ],
    [
      'a look at an image',
      { type: 'ImageView', path: 'file:///tmp/p.png' },
      ['> view_image {"path":"file:///tmp/p.png"}'],
    ],
  ])('is in a document: %s', async (_, item, parts) => {
    const text = await exportWith('code-mode', [{ item: { ...item, id: 'exec-1' } }]);
    for (const part of parts) expect(text).toContain(part);
  });

  it('is in a document of a file of version 1, too', async () => {
    const call = { type: 'mcp_tool_call_end', call_id: 'exec-1', invocation: CALLED };
    const changes = { '/tmp/new.txt': { type: 'add', content: 'hello\n' } };
    const text = await exportWith('legacy-linear', [
      { ...call, result: { Ok: { content: CONTENT } } },
      { ...call, call_id: 'exec-2', result: { Err: 'timed out' } },
      { type: 'patch_apply_end', call_id: 'exec-3', changes, success: true, stdout: 'ok' },
    ]);
    expect(text.split('> mcp__demo__look {"q":"one"}')).toHaveLength(3);
    expect(text).toMatch(/Tool result: mcp__demo__look · \S+\nMCP TEXT\n/);
    expect(text).toMatch(/Tool result: mcp__demo__look \(error\) · \S+\ntimed out\n/);
    expect(text).toContain('--- /dev/null\n+++ /tmp/new.txt\n+hello');
  });

  it('is not there twice where the model called it', async () => {
    const { length } = (await exportWith('linear-tools', [], 'json')).split('"toolCall"');
    const item = { type: 'McpToolCall', id: 'call_2', ...CALLED, result: { content: CONTENT } };
    const text = await exportWith('linear-tools', [{ item }], 'json');
    expect(text.split('"toolCall"')).toHaveLength(length);
  });
});
