import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateSession } from '../../../src/index.ts';
import { getDialect } from '../../../src/session/agents/index.ts';
import type { Agent } from '../../../src/session/model/agent.ts';
import type { SentBlock } from '../../../src/session/model/text/sent-message.ts';
import { readContext } from '../../../src/session/read/read-context.ts';
import { runTest } from '../../memory-terminal.ts';
import {
  FIXTURES,
  getRecorded,
  placeRecorded,
  RECORDED,
} from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';
import type { MigrationResult } from '../../../src/session/migrate/types.ts';

const read = (name: string): string => readFileSync(join(FIXTURES, `${name}.jsonl`), 'utf8');

async function migrate(path: string) {
  const out = await makeTempDir();
  const argv = ['migrate', path, '--to', 'pi', '--out', out, '--apply', '--grace', '0s', '--json'];
  const run = await runTest(argv, { home: dirname(path), cwd: dirname(path) });
  const { results } = JSON.parse(run.out) as { readonly results: readonly MigrationResult[] };
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' });
  const file = files.find((name) => name.endsWith('.jsonl')) ?? '';
  return { ...run, result: results[0], file: join(out, file) };
}

function toWords(block: SentBlock): readonly string[] {
  switch (block.type) {
    case 'toolCall':
      return [`call ${block.id}`];
    case 'toolResult':
      return [`result ${block.toolCallId}: ${block.text.trim()}`];
    case 'image':
      return ['image'];
    default:
      return block.text.trim() === '' ? [] : [block.text.trim()];
  }
}

/** What a model is sent, in order; neither with the answers that both agents give to open calls. */
async function listWords(agent: Agent, path: string): Promise<readonly string[]> {
  const { messages } = await readContext(path);
  const sent = getDialect(agent).context.toSent(
    messages.filter(({ role }) => role !== 'developer'),
  );
  const words = sent.flatMap(({ blocks }) => blocks.flatMap(toWords));
  return words.filter((word) => !/^result [^:]*: (aborted|No result provided)$/.test(word));
}

/** Otherwise: a summary in words of pi, lines that Codex has lost, a search, a generated image. */
const OTHER = /"type":"compacted"|"web_search_call"/;
const SAME = RECORDED.filter(({ name, input }) => {
  const isSent = input !== undefined || name === 'era-0.20';
  return isSent && name !== 'broken-paginated-second-meta-in-middle' && !OTHER.test(read(name));
});

describe('migrate --to pi', () => {
  it.each(SAME.map((recorded) => [recorded.name, recorded] as const))(
    'makes a session that sends the same: %s',
    async (_, recorded) => {
      const path = await placeRecorded(recorded);
      const before = readFileSync(path);
      const { file, result } = await migrate(path);
      expect(result?.action).toBe('migrate');
      expect(await listWords('pi', file)).toEqual(await listWords('codex', path));
      const found = await validateSession(file);
      const errors = found?.findings.filter(({ level }) => level === 'error');
      expect(errors?.filter(({ rule }) => rule !== 'tool-result-orphan')).toEqual([]);
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );

  it('skips a thread without a header, whose session would have no id', async () => {
    const { result, file } = await migrate(
      await placeRecorded(getRecorded('broken-paginated-no-meta')),
    );
    const reasons = ['has no header: Codex does not open it'];
    expect(result).toMatchObject({ action: 'skip', reasons });
    expect(file).not.toContain('.jsonl');
  });

  it('goes on with a summary, and names what was kept beside it', async () => {
    const { file, result } = await migrate(await placeRecorded(getRecorded('compacted-manual')));
    const { messages } = await readContext(file);
    expect(messages[0]).toMatchObject({ role: 'compactionSummary' });
    expect(result?.problems.map(({ code }) => code)).toContain('kept-lost');
  });

  it.each([
    ['subagent-parent', '1 sub-agent', 1],
    ['subagent-v2-parent', '2 sub-agents', 2],
  ])('names the sub-agents whose threads it does not migrate: %s', async (name, words, count) => {
    const { result } = await migrate(await placeRecorded(getRecorded(name)));
    const found = result?.problems.filter(({ code }) => code === 'subagent-lost');
    const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
    const ids = Array.from({ length: count }, () => id).join(', ');
    const message = expect.stringMatching(new RegExp(`^the work of ${words} is .*: ${ids}$`));
    expect(found).toMatchObject([{ message }]);
  });

  it('names all that pi has no place for', async () => {
    const { result } = await migrate(await placeRecorded(getRecorded('fork-of-fork')));
    expect(result?.problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'parent-lost: a fork of 01a1fff1-79ae-74c1-abfd-a7f241941747: the new session holds all of its path, and names no parent',
      'aside-lost: 9 lines of settings, counts and states left out: world_state, thread_settings_applied, token_count',
      'sealed-lost: 1 thought that only the provider can read left out',
      'usage-lost: the cost of 5 responses is left out',
      'display-lost: 1 line that people were shown left out: CommandExecution',
    ]);
    const mixed = await migrate(await placeRecorded(getRecorded('tools-mixed')));
    expect(mixed.result?.problems.map(({ code }) => code)).toContain('image-lost');
    const back = await migrate(await placeRecorded(getRecorded('era-0.80-rollback')));
    expect(back.result?.problems.map(({ code }) => code)).toContain('branch-lost');
  });
});
