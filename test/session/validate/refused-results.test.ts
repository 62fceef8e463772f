import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { appendFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { readContext } from '../../../src/session/read/read-context.ts';
import { type FixOptions, fixSession } from '../../../src/session/validate/fix-session.ts';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import { makeTempDir, toJsonl } from '../../temp-dir.ts';

const REFUSED = fileURLToPath(new URL('../../fixtures/refused', import.meta.url));
const OPTIONS: FixOptions = { levels: new Map(), dryRun: false, now: () => 0 };
const RULES: ReadonlySet<string> = new Set(['tool-result-orphan', 'tool-result-stray']);

async function copy(name: string): Promise<string> {
  const path = join(await makeTempDir(), name);
  await copyFile(join(REFUSED, name), path);
  return path;
}

async function find(path: string, options: Partial<FixOptions> = {}) {
  const validation = await validateSession(path, { ...OPTIONS, ...options });
  return validation?.findings.filter(({ rule }) => RULES.has(rule)) ?? [];
}

async function readRecords(path: string): Promise<readonly JsonObject[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function readTaken(path: string): Promise<readonly JsonObject[]> {
  const rejected = await readRecords(`${path}.rejected`);
  return rejected.map(({ text }) => JSON.parse(typeof text === 'string' ? text : ''));
}

const isResult = ({ role }: JsonObject): boolean => role === 'toolResult' || role === 'tool';

describe('--fix of a session that the model refuses', () => {
  it.each([
    ['pi-cut-off-answer.jsonl', 1],
    ['pi-lost-call.jsonl', 1],
    ['pi-summed-up-call.jsonl', 1],
    ['pi-late-result.jsonl', 1],
    ['pi-second-result.jsonl', 1],
    ['pi-marked-result.jsonl', 3],
    ['neovate-stray-result.jsonl', 1],
  ])('takes the result out of the context of %s, and nothing else', async (name, count) => {
    const path = await copy(name);
    const before = await readRecords(path);
    const context = await readContext(path);
    const [finding] = await find(path);
    expect(finding).toMatchObject({ fixable: true });
    expect(finding?.message).toMatch(/^the model (?:may refuse|refuses) this session: /);

    const outcome = await fixSession(path, OPTIONS);
    expect(outcome).toMatchObject({ action: 'fix', reasons: [] });
    expect(await find(path)).toEqual([]);
    const taken = await readTaken(path);
    expect(taken).toHaveLength(count);
    const left = await readRecords(path);
    expect(left).toHaveLength(before.length - count);
    expect(before.filter((record) => !left.some((one) => isSame(one, record)))).toEqual(taken);

    const after = await readContext(path);
    const gone = context.messages.filter(
      (one) => !after.messages.some((other) => isEqual(one, other)),
    );
    expect(gone.every(isResult)).toBe(true);
    expect(after.messages).toHaveLength(context.messages.length - gone.length);
    expect(gone).toHaveLength(1);
    expect(await fixSession(path, OPTIONS)).toMatchObject({ action: 'unchanged' });
  });

  it('hangs what follows on the entry before it, and keeps every other byte', async () => {
    const path = await copy('pi-cut-off-answer.jsonl');
    const before = (await readFile(path, 'utf8')).split('\n');
    await fixSession(path, OPTIONS);
    const after = (await readFile(path, 'utf8')).split('\n');
    const hung = (before[4] ?? '').replace('"parentId":"e0000003"', '"parentId":"e0000002"');
    expect(after).toEqual([...before.slice(0, 3), hung, ...before.slice(5)]);
  });

  it('keeps from the next entry on, where a compaction kept from the result', async () => {
    const path = await copy('pi-summed-up-call.jsonl');
    await fixSession(path, OPTIONS);
    const compaction = (await readRecords(path)).find(({ type }) => type === 'compaction');
    expect(compaction).toMatchObject({ firstKeptEntryId: 'e0000004' });
  });

  it('writes nothing with a dry run, and says the same', async () => {
    const path = await copy('pi-marked-result.jsonl');
    const outcome = await fixSession(path, { ...OPTIONS, dryRun: true });
    expect(outcome).toMatchObject({
      action: 'fix',
      rejected: [{ line: 4 }, { line: 5 }, { line: 6 }],
    });
    expect(await readFile(path)).toEqual(await readFile(join(REFUSED, basename(path))));
  });

  it('keeps a result that another branch needs out of the context, and in the file', async () => {
    const path = await copy('pi-needed-elsewhere.jsonl');
    const [found] = await find(path);
    const [before, lines] = [await readContext(path), await readRecords(path)];
    const fixed = await fixSession(path, OPTIONS);
    expect(fixed).toMatchObject({ action: 'fix', reasons: [], rejected: [], repaired: [found] });
    expect(await find(path)).toEqual([]);
    const compaction = { ...lines[7], firstKeptEntryId: 'e0000004' };
    expect(await readRecords(path)).toEqual(lines.with(7, compaction));
    const { messages } = await readContext(path);
    expect(messages).toEqual(before.messages.filter(({ role }) => role !== 'toolResult'));
    expect(await fixSession(path, OPTIONS)).toMatchObject({ action: 'unchanged' });
  });

  it('leaves a result that another branch needs, where a message before it would leave, too', async () => {
    const path = await copy('pi-needed-elsewhere.jsonl');
    const records = await readRecords(path);
    const message = { role: 'bashExecution', command: 'ls', output: '', exitCode: 0, timestamp: 1 };
    const ran = { type: 'message', id: 'ran', parentId: 'e0000002', message };
    const moved = records.map((record): JsonObject => ({
      ...record,
      ...(record['id'] === 'e0000003' && { parentId: 'ran' }),
      ...(record['type'] === 'compaction' && { firstKeptEntryId: 'ran' }),
    }));
    const timestamp = '2026-03-02T09:30:02.500Z';
    await writeFile(path, toJsonl(moved.toSpliced(3, 0, { ...ran, timestamp })));
    expect(await find(path)).toMatchObject([{ fixable: false }]);
    expect(await fixSession(path, OPTIONS)).toMatchObject({ action: 'unchanged' });
  });

  it.each(['pi-at-the-leaf.jsonl', 'pi-lost-parents.jsonl'])(
    'goes on from the entry before it, where the last line of %s is taken out',
    async (name) => {
      const path = await copy(name);
      const before = await readContext(path);
      const [last] = (await readRecords(path)).slice(-1);
      expect(await fixSession(path, OPTIONS)).toMatchObject({ action: 'fix', reasons: [] });
      expect(await find(path)).toEqual([]);
      expect(await readTaken(path)).toEqual([last]);
      const { id, parentId } = last ?? {};
      const leaf = { type: 'custom', id, parentId, customType: 'coppice.leaf' };
      expect((await readRecords(path)).at(-1)).toMatchObject(leaf);
      expect((await readContext(path)).messages).toEqual(before.messages.slice(0, -1));
      expect(await fixSession(path, OPTIONS)).toMatchObject({ action: 'unchanged' });
    },
  );

  it('takes it out at once, where the line that brings it back is repaired', async () => {
    const path = await copy('pi-lost-parents.jsonl');
    const text = await readFile(path, 'utf8');
    await writeFile(path, `${text.trimEnd()}{"type":"mess`);
    expect(await fixSession(path, OPTIONS)).toMatchObject({ action: 'fix', reasons: [] });
    expect((await readRecords(path)).at(-1)).toMatchObject({ customType: 'coppice.leaf' });
    expect(await find(path)).toEqual([]);
    expect(await fixSession(path, OPTIONS)).toMatchObject({ action: 'unchanged' });
  });

  it('leaves it where Neovate would go on elsewhere, and says so', async () => {
    const path = await copy('neovate-stray-result.jsonl');
    const [first, result] = await readRecords(path);
    const aside = { ...first, uuid: 'aside', parentUuid: null };
    await writeFile(path, toJsonl([first ?? {}, aside, result ?? {}]));
    expect(await fixSession(path, OPTIONS)).toMatchObject({
      action: 'skip',
      reasons: ['a tool result is kept: without it, the session would continue elsewhere'],
    });
  });

  it('looks at other branches only with all branches', async () => {
    const path = await copy('pi-beside.jsonl');
    expect(await find(path)).toEqual([]);
    expect(await fixSession(path, OPTIONS)).toMatchObject({ action: 'unchanged' });
    expect(await find(path, { allBranches: true })).toMatchObject([{ line: 4 }]);
    await fixSession(path, { ...OPTIONS, allBranches: true });
    expect(await find(path, { allBranches: true })).toEqual([]);
  });

  it('does nothing where the rule is off', async () => {
    const path = await copy('pi-lost-call.jsonl');
    const levels = new Map([['tool-result-orphan', 'off'] as const]);
    expect(await fixSession(path, { ...OPTIONS, levels })).toMatchObject({ action: 'unchanged' });
  });

  it('waits for the migration where a compaction counts lines', async () => {
    const path = await copy('pi-lost-call.jsonl');
    const [header, ...entries] = await readRecords(path);
    const old = entries.map(({ type, message, timestamp }) => ({ type, message, timestamp }));
    const compaction = {
      type: 'compaction',
      summary: 'So far.',
      firstKeptEntryIndex: 4,
      tokensBefore: 9,
    };
    const timestamp = '2026-03-02T09:31:00.000Z';
    await writeFile(
      path,
      toJsonl([{ ...header, version: 1 }, ...old, { ...compaction, timestamp }]),
    );
    expect(await fixSession(path, OPTIONS)).toMatchObject({ action: 'unchanged', reasons: [] });
  });

  it('hangs a line that comes after the plan on the entry before the result', async () => {
    const path = await copy('pi-lost-call.jsonl');
    const late = { type: 'custom', id: 'late', parentId: 'e0000003', customType: 'x' };
    let isLate = false;
    await fixSession(path, {
      ...OPTIONS,
      now() {
        // Asked when what is taken out is written down, just before the session is replaced.
        if (!isLate) appendFileSync(path, toJsonl([late]));
        isLate = true;
        return 0;
      },
    });
    expect((await readRecords(path)).at(-1)).toEqual({ ...late, parentId: 'e0000002' });
  });

  it('repairs the lines first: a call that is on a glued line is a call', async () => {
    const path = await copy('pi-second-result.jsonl');
    const text = await readFile(path, 'utf8');
    const lines = text.trimEnd().split('\n');
    const glued = [...lines.slice(0, 2), `${lines[2]}${lines[3]}`, ...lines.slice(4)];
    await writeFile(path, `${glued.join('\n')}\n`);
    await fixSession(path, OPTIONS);
    const whole = await copy('pi-second-result.jsonl');
    await fixSession(whole, OPTIONS);
    expect(await readFile(path, 'utf8')).toBe(await readFile(whole, 'utf8'));
  });
});

function isSame(one: JsonObject, other: JsonObject): boolean {
  return one['type'] === other['type'] && getId(one) === getId(other);
}

const getId = (record: JsonObject): unknown => record['id'] ?? record['uuid'];

function isEqual(one: JsonObject, other: JsonObject): boolean {
  return JSON.stringify({ ...one, parentUuid: 0 }) === JSON.stringify({ ...other, parentUuid: 0 });
}
