import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const CORPUS = fileURLToPath(new URL('../../fixtures/claude-code', import.meta.url));

const ONLY_METADATA = '{"type":"mode","mode":"normal","sessionId":"a"}\n';
const LEAF_OF_AGENT = [
  { type: 'user', uuid: 'a', parentUuid: null, message: { role: 'user', content: 'hi' } },
  {
    type: 'user',
    uuid: 'b',
    parentUuid: null,
    isSidechain: true,
    message: { role: 'user', content: 'count' },
  },
  { type: 'last-prompt', leafUuid: 'b', sessionId: 'a' },
];

describe('export --as context of Claude Code', () => {
  it('prints one message a line, in the shape that every agent has', async () => {
    const file = 'made-open-tool-call-last.jsonl';
    const { out, exitCode } = await runTest(['export', file, '--as', 'context'], { cwd: CORPUS });
    expect(exitCode).toBe(0);
    const messages = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(messages).toEqual([
      { role: 'user', blocks: [{ type: 'text', text: 'q1' }] },
      { role: 'assistant', blocks: [{ type: 'text', text: 'r1' }] },
      {
        role: 'assistant',
        blocks: [
          {
            type: 'toolCall',
            id: 'toolu_x1',
            name: 'Bash',
            arguments: { command: 'ls', description: 'list' },
          },
        ],
      },
      {
        role: 'user',
        blocks: [
          {
            type: 'toolResult',
            toolCallId: 'toolu_x1',
            isError: true,
            text: expect.stringContaining('[Tool call interrupted: ') as string,
            images: [],
          },
        ],
      },
    ]);
  });

  it.each(['made-glued-lines', 'made-orphan-too-late-to-bridge', 'made-torn-last-line'])(
    'takes what the client takes of a damaged file: %s',
    async (name) => {
      const argv = ['export', `${name}.jsonl`, '--as', 'context'];
      expect((await runTest(argv, { cwd: CORPUS })).exitCode).toBe(0);
    },
  );

  it.each([
    ['nothing but metadata', ONLY_METADATA, 'holds no message'],
    [
      'a leaf of a sub-agent',
      `${LEAF_OF_AGENT.map((line) => JSON.stringify(line)).join('\n')}\n`,
      'names a line of a sub-agent',
    ],
  ])('reports %s, and prints nothing', async (_, text, problem) => {
    const cwd = await makeTempDir();
    await writeFiles(cwd, { 's.jsonl': text });
    const { out, err, exitCode } = await runTest(['export', 's.jsonl', '--as', 'context'], { cwd });
    expect(out).toBe('');
    expect(err).toContain(problem);
    expect(exitCode).toBe(3);
  });
});

const HOME = fileURLToPath(new URL('../../fixtures/claude-code/home', import.meta.url));
const TOOLS = '.claude/projects/-home-u-demo-project/aaaaaaaa-0000-4000-8000-000000000001.jsonl';

describe('export of Claude Code', () => {
  const exportAs = async (format: string, ...argv: readonly string[]): Promise<string> => {
    const { out } = await runTest(['export', '--as', format, ...argv], { cwd: HOME });
    return out;
  };
  const BEFORE = ['--branch', '4d90f0'];

  it('shows an answer of several lines as one, with the names of tools', async () => {
    const text = await exportAs('json', TOOLS, ...BEFORE);
    const { turns } = JSON.parse(text || '{"turns":[]}') as {
      turns: readonly { role: string; toolName?: string; blocks: readonly { type: string }[] }[];
    };
    const [, answer, result] = turns;
    expect(answer?.blocks.map(({ type }) => type)).toEqual([
      'thinking',
      'text',
      'toolCall',
      'toolCall',
    ]);
    expect(result).toMatchObject({ role: 'toolResult', toolName: 'Read' });
  });

  it.each(['md', 'html', 'text', 'json'])(
    'as %s shows what sub-agents said below their calls, and hides the harness',
    async (format) => {
      const text = await exportAs(format, TOOLS, ...BEFORE);
      expect(text).toContain('count one');
      expect(text).toContain('Sub-agent Explore: One');
      expect(text).not.toContain('deferred_tools_delta');
    },
  );

  it('shows the harness when it is asked for, and a prompt that was queued as one', async () => {
    const file = '../recorded-tui-rename-rewind.jsonl';
    const hidden = await exportAs('text', file);
    expect(hidden).toContain('tui second prompt');
    expect(hidden).not.toContain('# Environment');
    expect(hidden).not.toContain('Ended early');
    expect(await exportAs('text', file, '--harness')).toContain('deferred tools');
  });
});
