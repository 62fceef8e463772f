import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject, type JsonObject } from '../../src/session/jsonl/edit/json.ts';
import { type Json, type Operation, RELEASES, type ReferenceContext } from './reference.ts';
import { linearScripts } from './scripts/linear-scripts.ts';
import { treeScripts } from './scripts/tree-scripts.ts';
import { Bench } from './sequence/bench.ts';
import { forgetOrigins } from './sequence/view.ts';

const RUNS = process.env['COPPICE_LONG'] === '1' ? 400 : 30;
const LIMIT_MS = 1_800_000;
let bench: Bench;

beforeAll(() => {
  bench = new Bench();
});
afterAll(() => bench.close());

/** pi 0.30.2 shows a summary as words of the user. */
const SUMMARY = /^The conversation history before[^]*?<summary>\n([^]*)\n<\/summary>$/;

/** A message as the newest release has it, but for what the old one does not know. */
function toCurrent(message: Json): Json {
  if (!isObject(message)) return message;
  const { role, content } = message;
  const summary = typeof content === 'string' ? SUMMARY.exec(content)?.[1] : undefined;
  if (summary !== undefined) return { role: 'compactionSummary', summary };
  return role === 'hookMessage' ? { ...message, role: 'custom' } : message;
}

function forgetTokens(message: Json): Json {
  if (!isObject(message) || message['role'] !== 'compactionSummary') return message;
  return { role: message['role'], summary: message['summary'] ?? null };
}

function compare(context: ReferenceContext | null, change: (message: Json) => Json): unknown {
  return (
    context && {
      ...context,
      messages: forgetOrigins(context).messages.map((one) => forgetTokens(change(one))),
    }
  );
}

/** The newest pi keeps nothing of what a compaction of 0.30.2 counts from the header. */
function countsFromHeader(ops: readonly Operation[]): boolean {
  return ops.some(([method, entry]) => {
    return method === 'saveCompaction' && isObject(entry) && isFromHeader(entry);
  });
}

function isFromHeader(entry: JsonObject): boolean {
  return entry['firstKeptEntryIndex'] === 0;
}

describe('after migrate the newest pi shows the model what the old one did', () => {
  it.each(RELEASES)(
    'that is pi %s',
    async (release) => {
      const scripts = release === '0.30.2' ? linearScripts : treeScripts(release);
      const property = fc.asyncProperty(scripts, async (ops) => {
        fc.pre(!countsFromHeader(ops));
        bench.start('');
        const script = { release, ops, cwd: '/home/dev', dir: bench.grown };
        const { text, context } = await bench.reference.ask({ ask: 'script', ...script });
        fc.pre(text !== null);
        bench.replace(text ?? '');
        await bench.run('migrate', '--apply', '--grace', '0s');
        const migrated = bench.look();
        expect(migrated.version).toBe(3);
        expect(compare(await migrated.current(), (message) => message)).toEqual(
          compare(context, toCurrent),
        );
      });
      await fc.assert(property, { numRuns: RUNS, seed: 12 });
    },
    LIMIT_MS,
  );
});
