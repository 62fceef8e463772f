import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src/session/jsonl/edit/json.ts';
import { summarizeSession } from '../../../../src/session/read/summaries/summarize-session.ts';
import { validateSession } from '../../../../src/session/validate/validate-session.ts';
import { runTest } from '../../../memory-terminal.ts';
import { writeFiles } from '../../../temp-dir.ts';
import { buildHealthy, SESSION_ID, toText } from './healthy-session.ts';
import { loadNeovate } from './neovate-loader.ts';
import { replaceEach } from '../../replace-each.ts';
import { runs } from '../../../harness/runs.ts';

const dir = await mkdtemp(join(tmpdir(), 'coppice-test-'));
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Each reads or previews all that it would do. */
const COMMANDS: readonly (readonly string[])[] = [
  ['list', '--usage'],
  ['validate', '--fix-dry-run'],
  ['fork', '--dry-run', '--each-leaf', '--last', '1000'],
  ['fork', '--points', '--last', '1000'],
  ['compact', '--force'],
  ['compact', '--images', 'extract', '--tool-output', '200B', '--summarized'],
  ['migrate', '--to', 'pi'],
  ['prune', '--older-than', '1d', '--allow-empty'],
  ['export', '--as', 'json', '--all-branches', '--out', 'out', '--dry-run'],
  ['export', '--as', 'jsonl', '--out', 'out', '--dry-run'],
  ['export', '--as', 'atif', '--out', 'out', '--dry-run'],
];

const HOSTILE: readonly JsonValue[] = [
  null,
  7,
  '',
  '\u001b[31mred\u0007\u2028\ud800',
  [],
  [null, [null], {}],
  {},
  JSON.parse('{"__proto__":{"type":"message"},"constructor":1,"length":1}') as JsonValue,
];

const damaged = (function* () {
  const lines = buildHealthy();
  for (const [index, line] of lines.entries()) {
    for (const value of HOSTILE) {
      for (const replaced of replaceEach(line, value)) yield lines.with(index, replaced as never);
    }
  }
})();
const ALL = [...damaged];

/** Puts each text into a file of its own, and gives what came of every command on all of them. */
async function findBugs(texts: readonly (string | Buffer)[]): Promise<readonly string[]> {
  const store = await mkdtemp(join(dir, 'store-'));
  for (const [index, text] of texts.entries()) {
    await writeFiles(store, { [`${index}/${SESSION_ID}.jsonl`]: text });
  }
  const bugs: string[] = [];
  for (const [command = '', ...args] of COMMANDS) {
    const { exitCode, out, err } = await runTest([command, '--store', '.', ...args], {
      cwd: store,
    });
    if (exitCode === 70) bugs.push(`${command} ${args.join(' ')}: ${err}`);
    // oxlint-disable-next-line no-control-regex
    if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(out + err)) bugs.push(`${command}: raw`);
  }
  return bugs;
}

describe('every command', () => {
  it('answers Neovate sessions in which any value is another', async () => {
    const sample = fc.sample(fc.constantFrom(...ALL), { numRuns: runs(12), seed: 8 });
    expect(await findBugs(sample.map(toText))).toEqual([]);
  });

  it('answers any bytes between the lines of Neovate sessions', async () => {
    const healthy = Buffer.from(toText(buildHealthy()));
    const junk = fc.tuple(fc.uint8Array({ maxLength: 60 }), fc.nat({ max: healthy.length }));
    const texts = fc.sample(junk, { numRuns: runs(10), seed: 8 }).map(([bytes, at]) => {
      return Buffer.concat([healthy.subarray(0, at), bytes, healthy.subarray(at)]);
    });
    expect(await findBugs(texts)).toEqual([]);
  });
});

describe('a Neovate session that the loader would not open', () => {
  const check = async (texts: readonly (string | Buffer)[]): Promise<number> => {
    let refused = 0;
    const path = join(dir, `${SESSION_ID}.jsonl`);
    for (const text of texts) {
      await writeFile(path, text);
      const summary = await summarizeSession(path, { usage: false });
      if (!('path' in summary)) continue;
      const isRefused = !opens(text.toString('utf8'));
      const { findings = [] } = (await validateSession(path, { levels: new Map() })) ?? {};
      const isError = findings.some(({ level }) => level === 'error');
      expect([text, summary.problem !== undefined]).toEqual([text, isRefused]);
      expect([text, isError || !isRefused]).toEqual([text, true]);
      if (isRefused) refused += 1;
    }
    return refused;
  };

  it('has a problem and an error, and no other has a problem', async () => {
    const healthy = Buffer.from(toText(buildHealthy()));
    const junk = fc.tuple(fc.uint8Array({ maxLength: 20 }), fc.nat({ max: healthy.length }));
    const texts = fc.sample(junk, { numRuns: runs(40), seed: 9 }).map(([bytes, at]) => {
      return Buffer.concat([healthy.subarray(0, at), bytes, healthy.subarray(at)]);
    });
    const ids = [...toText(buildHealthy()).matchAll(/"(uuid|parentUuid)":"(\w+)"/g)];
    const names = [...new Set(ids.map(([, , id]) => id ?? ''))];
    const swap = fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...names));
    const swapped = fc
      .sample(swap, { numRuns: runs(40), seed: 9 })
      .map(([{ 0: all, 1: key, index }, id]) => {
        const text = healthy.toString('utf8');
        return `${text.slice(0, index)}"${key}":"${id}"${text.slice(index + all.length)}`;
      });
    expect(await check(texts)).toBeGreaterThan(5);
    expect(await check(swapped)).toBeGreaterThan(0);
  });
});

function opens(text: string): boolean {
  try {
    loadNeovate(text);
    return true;
  } catch {
    return false;
  }
}
