import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runTest } from '../memory-terminal.ts';
import { assistant, toSession, user } from '../session-lines.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';

/** What a command prints about a session of these lines. */
async function run(lines: readonly object[], ...argv: readonly string[]): Promise<string> {
  const dir = await makeTempDir();
  await writeFiles(dir, { 's.jsonl': lines });
  const { out, err, exitCode } = await runTest([...argv, join(dir, 's.jsonl')], { cwd: dir });
  if (exitCode !== 0) throw new Error(err);
  return out;
}

const stranger = { role: 'board', content: 'move 3', timestamp: 0 };
const withStranger = toSession([user('Go.'), stranger, assistant('Done.')]);

it.each(['chat', 'atif', 'sts'])('has no message of an unknown role as %s', async (as) => {
  expect(await run(withStranger, 'export', '--as', as)).not.toContain('move 3');
});

/** Which entries are in context. */
function readSent(out: string): readonly boolean[] {
  const { results } = JSON.parse(out) as { results: readonly { readonly inContext: boolean }[] };
  return results.map(({ inContext }) => inContext);
}

it('lists a message of an unknown role as not sent', async () => {
  const out = await run(withStranger, 'list', '--entries', '--json');
  expect(readSent(out)).toEqual([true, false, true]);
});

it('has no summary of a branch that says nothing, as the context has none', async () => {
  const lines = toSession([
    user('Go.'),
    { type: 'branch_summary', summary: '', fromId: 'e0' },
    assistant('Done.'),
  ]);
  const chat = JSON.parse(await run(lines, 'export', '--as', 'chat')) as { messages: unknown };
  expect(chat.messages).toHaveLength(2);
  expect((await run(lines, 'export', '--as', 'context')).trimEnd().split('\n')).toHaveLength(2);
  expect(readSent(await run(lines, 'list', '--entries', '--json'))).toEqual([true, false, true]);
});

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));

/** The text of a message, whatever its shape. */
function getSentText(line: string): string {
  const { blocks } = JSON.parse(line) as { blocks: readonly { readonly text?: string }[] };
  return blocks.map(({ text }) => text ?? '').join('');
}

it.each([
  ['claude-code/recorded-auto-compact', 'chat'],
  ['claude-code/recorded-auto-compact', 'sts'],
  ['codex/compacted-manual', 'chat'],
  ['codex/compacted-manual', 'atif'],
  ['neovate/compacted-slash', 'chat'],
])('has a summary in the words that the model is sent: %s as %s', async (name, as) => {
  const file = join(FIXTURES, `${name}.jsonl`);
  const { out } = await runTest(['export', '--as', as, '--no-redact', file], { cwd: FIXTURES });
  const { out: json } = await runTest(['export', '--as', 'json', file], { cwd: FIXTURES });
  const { turns } = JSON.parse(json) as { turns: readonly { role: string; blocks: [Text] }[] };
  const summary = turns.find(({ role }) => role === 'summary');
  const context = await runTest(['export', '--as', 'context', file], { cwd: FIXTURES });
  const sent = context.out.trimEnd().split('\n').map(getSentText);
  const said = sent.filter((text) => text === summary?.blocks[0].text);
  expect(said).toHaveLength(1);
  expect(out).toContain(JSON.stringify(said[0]));
});

interface Text {
  readonly text: string;
}

it('has a summary of pi in the words that pi puts around it', async () => {
  const compaction = { type: 'compaction', summary: 'S', firstKeptEntryId: 'e0', tokensBefore: 1 };
  const out = await run(toSession([user('Go.'), compaction]), 'export', '--as', 'chat');
  expect(out).toContain('before this point was compacted into the following summary');
});

it.each(['context', 'chat', 'sts', 'atif'])(
  'has the sections of instructions as %s',
  async (as) => {
    const first = {
      role: 'system',
      content: 'Rules.',
      sections: { a: 'Section A.' },
      timestamp: 0,
    };
    const systemMessage = { role: 'system', content: '', sections: { b: 'Section B.' } };
    const compaction = {
      type: 'compaction',
      summary: 'S',
      firstKeptEntryId: 'e1',
      tokensBefore: 1,
    };
    const told = await run(toSession([first, user('Go.')]), 'export', '--as', as);
    expect(told).toMatch(/Rules\..*Section A\./s);
    const lines = toSession([first, user('Go.'), { ...compaction, systemMessage }]);
    expect(await run(lines, 'export', '--as', as)).toContain('Section B.');
  },
);

it.each(['context', 'chat', 'sts', 'atif'])('has a command as pi words it as %s', async (as) => {
  const role = 'bashExecution';
  const cut = { cancelled: true, truncated: true, fullOutputPath: '/tmp/full.log', timestamp: 0 };
  const command = { role, command: 'make', output: 'part', exitCode: 130, ...cut };
  const out = await run(toSession([user('Go.'), command]), 'export', '--as', as);
  const end = '(command cancelled)\n\n[Output truncated. Full output: /tmp/full.log]';
  const text = `Ran \`make\`\n\`\`\`\npart\n\`\`\`\n\n${end}`;
  expect(out).toContain(JSON.stringify(text));
});
