import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { pi } from '../../../../../src/session/agents/pi/pi.ts';
import { getScanner } from '../../../../../src/session/agents/pi/scanner/scanner.ts';
import { createSourceFold } from '../../../../../src/session/read/source-fold.ts';
import { CheckFold } from '../../../../../src/session/validate/check-fold.ts';
import { change, damage, text } from './changed-lines.ts';
import { readFold, RECORDED } from './read-fold.ts';
import { runs } from '../../../../harness/runs.ts';
import type { RuleLevels } from '../../../../../src/session/dialect/levels.ts';

const DEFAULT: RuleLevels = new Map();

/** What is found in a file, and its index. */
async function check(bytes: Buffer, pieces: readonly number[], skims: boolean, levels = DEFAULT) {
  const { result, parsed } = readFold(
    new CheckFold('a.jsonl', pi, 'lines', { levels }),
    bytes,
    pieces,
    skims,
  );
  const answer = { entries: result.session.entries, findings: await result.conclude() };
  return { answer, parsed };
}

/** What is made of a file without parsing all of it, and with: the two have to be the same. */
async function readTwice(bytes: Buffer, pieces: readonly number[] = []) {
  const readOnce = async (skims: boolean, at: readonly number[]) => [
    (await check(bytes, at, skims)).answer,
    readFold(pi.reading.indexSession('lines'), bytes, at, skims).result,
    readFold(createSourceFold(pi, 'lines', {}), bytes, at, skims).result,
    readFold(createSourceFold(pi, 'lines', { sumsUsage: true }), bytes, at, skims).result,
  ];
  return { skimmed: await readOnce(true, pieces), parsed: await readOnce(false, []) };
}

function isSame({ skimmed, parsed }: Awaited<ReturnType<typeof readTwice>>): boolean {
  expect(skimmed).toStrictEqual(parsed);
  return true;
}

const HEADER =
  '{"type":"session","version":3,"id":"s","timestamp":"2025-04-01T05:04:17.097Z","cwd":"/"}';
const USAGE = { input: 1, output: 2.5, cacheRead: 0, cacheWrite: 0, cost: { total: 1e-7 } };
const NAMES = { api: 'messages', provider: 'acme', model: 'oak-1', usage: USAGE };

/** Lines of every kind that is read without parsing, and others. */
function toLines(texts: readonly string[]): readonly string[] {
  const [first = '', second = '', third = ''] = texts;
  const place = { id: '00000001', parentId: null, timestamp: '2025-10-05T07:08:09.100Z' };
  const call = {
    type: 'toolCall',
    id: 'c1',
    name: 'bash',
    arguments: { command: first, [second]: [{}] },
  };
  const messages = [
    { role: 'user', content: first, timestamp: 1_759_648_089_100 },
    {
      role: 'user',
      content: [
        { type: 'text', text: second },
        { type: 'image', data: 'AA', mimeType: 'image/png' },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: third }, call, call],
      ...NAMES,
      stopReason: 'toolUse',
    },
    { role: 'assistant', content: [call], ...NAMES, stopReason: 'aborted', errorMessage: first },
    { role: 'assistant', content: [], ...NAMES, stopReason: second },
    {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'bash',
      content: [{ type: 'text', text: first }],
      details: { [third]: first },
      isError: false,
    },
    { role: 'toolResult', toolCallId: second, toolName: 'x', content: [], isError: true },
    { role: 'bashExecution', command: first, output: second, cancelled: false, truncated: true },
  ];
  const entries = [
    ...messages.map((message) => ({ type: 'message', ...place, message })),
    { type: 'custom', customType: 'state', data: { [first]: second }, ...place },
    { type: 'custom_message', customType: 'note', content: first, display: true, ...place },
    { type: 'model_change', ...place, provider: second, modelId: 'oak-1' },
    { type: 'thinking_level_change', ...place, thinkingLevel: 'high' },
    { type: 'custom_message', customType: 'x', content: [{ type: 'text', text: third }], ...place },
    { type: 'label', ...place, targetId: '00000001', label: second },
    { type: 'context_edit', ...place, targetId: '00000001', replacement: null },
  ];
  return entries.map((entry) => JSON.stringify(entry));
}

/** Each line once as it is, so that its shape is known, then changed. */
const file = fc
  .tuple(
    fc.array(text, { minLength: 3, maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(14), change), { maxLength: 12 }),
  )
  .map(([texts, changes]) => {
    const lines = toLines(texts);
    const whole = [HEADER, ...lines, ...lines].map((line) => Buffer.from(`${line}\n`));
    const changed = changes.map(([index, one]) =>
      Buffer.concat([damage(lines[index] ?? '', one), Buffer.from('\n')]),
    );
    return Buffer.concat([...whole, ...changed]);
  });

describe('lines that are not parsed', () => {
  // A table of shapes that random lines have filled learns no more.
  beforeEach(() => getScanner()?.learnFor(new Map()));

  const readable = toLines(['one', 'two', 'three']).toSpliced(7, 1).slice(0, 11);
  it.each(readable)('are those where there is %s', async (line) => {
    const bytes = Buffer.from(`${[HEADER, line, line, line, line, line].join('\n')}\n`);
    // The header, the first entry, and one of the shape, unless that was known before.
    expect((await check(bytes, [], true)).parsed).toBeLessThanOrEqual(3);
  });

  it('are most of those that pi 0.87.1 writes', async () => {
    const bytes = readFileSync(join(RECORDED, '0.87.1-compactions.jsonl'));
    const all = (await check(bytes, [], false)).parsed;
    await check(bytes, [], true);
    expect((await check(bytes, [], true)).parsed).toBeLessThan(all / 2);
  });
});

describe('reading entries without parsing them', () => {
  it('finds what parsing every line finds, whatever happens to bytes, in any pieces', async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.array(fc.nat(3000), { maxLength: 8 }), async (bytes, pieces) => {
        const { skimmed, parsed } = await readTwice(bytes, pieces);
        expect(skimmed).toStrictEqual(parsed);
      }),
      {
        numRuns: runs(100),
      },
    );
  });

  it('finds it in strings of any bytes', async () => {
    const bytes = fc.uint8Array({ maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 20 }), async (strings) => {
        const [line = ''] = toLines(['@']);
        const [before = '', after = ''] = line.split('@');
        const lines = strings.map((one) => [Buffer.from(before), one, Buffer.from(`${after}\n`)]);
        expect(
          await readTwice(Buffer.concat([Buffer.from(`${HEADER}\n${line}\n`), ...lines.flat()])),
        ).toSatisfy(isSame);
      }),
      { numRuns: runs(50) },
    );
  });

  it.each([
    ['"id":"00000001"', '"id":"a","id":5'],
    ['"id":"00000001"', '"id":""'],
    ['"id":"00000001"', '"id":"é"'],
    ['"id":"00000001"', '"i\\u0064":"00000009"'],
    ['"parentId":null', '"parentId":"00000001","parentId":null'],
    [
      '"content":"hello"',
      '"content":[{"type":"toolCall","id":"c9","name":"x","arguments":{}}],"content":"hello"',
    ],
    ['"message":{', '"message":{"role":"assistant","provider":"p"},"message":{'],
    ['"role":"user"', '"role":"assistant","role":"user"'],
    ['"role":"user"', '"role":"__proto__"'],
    ['"type":"message"', '"type":"message","__proto__":{"type":"label"}'],
    ['"type":"message"', '"type":"session"'],
    ['"type":"message"', '"type":"message","type":"session"'],
    ['T07:08:09.100Z', 'T24:00:00.000Z'],
    ['2025-10-05T', '2025-02-29T'],
    ['2025-10-05T', '2024-02-29T'],
    ['2025-10-05T', '2025-02-30T'],
    ['2025-10-05T', '2025-04-31T'],
    ['2025-10-05T', '2025-10-32T'],
    ['2025-10-05T', '2100-02-29T'],
    ['2025-10-05T', '9999-12-31T'],
    ['2025-10-05T', '1969-12-31T'],
    ['2025-10-05T', '2025-13-05T'],
    ['2025-10-05T', '2025-00-05T'],
    ['2025-10-05T', '2025-1x-05T'],
    ['"hello"', `"hello"${' '.repeat(200)}`],
    ['"hello"', `"hello","x":${'['.repeat(600)}${']'.repeat(600)}`],
    ['"hello"', `"hello",${Array.from({ length: 900 }, (_, n) => `"k${n}":0`).join()}`],
    ['"hello"', '"hello","n":[1e999,-0,1E+2,0.5e-1,true,false,null]'],
    ['"hello"', '"hello","n":01'],
    ['"hello"', '"hello","n":1.'],
    ['"hello"', '"hello","n":[1,]'],
    ['"hello"', '"hello","n":{},}'],
  ])('finds it where %s is %s, once and again', async (from, to) => {
    const line = toLines(['hello'])[0] ?? '';
    const other = line.replace(from, () => to);
    expect(other).not.toBe(line);
    expect(
      await readTwice(Buffer.from(`${[HEADER, line, line, other, other, other].join('\n')}\n`)),
    ).toSatisfy(isSame);
  });

  it.each([
    ['"isError":false', '"isError":null'],
    ['"isError":false', '"isError":0'],
    ['"isError":false', '"isError":"false"'],
    ['"isError":false', '"isError":[]'],
    ['"isError":false', '"isError":true'],
    ['"toolCallId":"c1"', '"toolCallId":null'],
    ['"toolCallId":"c1"', '"toolCallId":7'],
    ['"details":{', '"details":[],"more":{'],
    ['"input":1', '"input":null'],
    ['"input":1', '"input":true'],
    ['"cost":{"total":1e-7}', '"cost":[]'],
    ['"cost":{"total":1e-7}', '"cost":{}'],
    ['"stopReason":"toolUse"', '"stopReason":"error"'],
    ['"stopReason":"toolUse"', '"stopReason":null'],
    ['"arguments":{', '"arguments":[],"x":{'],
    ['"arguments":{', '"arguments":null,"x":{'],
    ['"type":"thinking"', '"type":"text"'],
    ['"type":"thinking"', '"type":"toolCall"'],
    ['"type":"thinking"', '"type":"other"'],
    ['"provider":"acme"', '"provider":"acme\\u0041"'],
    ['"provider":"acme"', '"provider":["acme"]'],
    ['"model":"oak-1"', '"model":"elm"'],
    ['"content":[', '"content":null,"contents":['],
    ['"customType":"state"', '"customType":1'],
    ['"customType":"state"', '"customType":"état"'],
    ['"data":{', '"data":null,"x":{'],
    ['"modelId":"oak-1"', '"modelId":null'],
    ['"modelId":"oak-1"', '"modelId":"elm","modelId":"oak-1"'],
    ['"modelId":"oak-1"', '"modelId":"oak-1","message":{"provider":"two","model":"oak-1"}'],
    ['"thinkingLevel":"high"', '"thinkingLevel":7'],
    ['"thinkingLevel":"high"', '"thinkingLevel":"low"'],
    ['"type":"model_change"', '"type":"thinking_level_change","thinkingLevel":"low"'],
    ['"content":"one"', '"content":7'],
    ['"content":[{"type":"text"', '"content":[{"type":"toolCall"'],
    ['"content":[{"type":"text"', '"content":[{"type":"other"'],
    ['"role":"assistant"', '"role":"assistant","thinkingLevel":"x"'],
    ['"type":"message"', '"provider":"one","modelId":"two","type":"message"'],
  ])('finds it in all lines where %s is %s', async (from, to) => {
    const lines = toLines(['one', 'two', 'three']);
    const others = lines.map((line) => line.replace(from, () => to));
    expect(others).not.toEqual(lines);
    expect(
      await readTwice(Buffer.from(`${[HEADER, ...lines, ...lines, ...others].join('\n')}\n`)),
    ).toSatisfy(isSame);
    expect(
      await readTwice(Buffer.from(`${[HEADER, ...others, ...others, ...lines].join('\n')}\n`)),
    ).toSatisfy(isSame);
  });

  it.each(readdirSync(RECORDED).filter((name) => name.endsWith('.jsonl')))(
    'finds it in %s',
    async (name) => {
      expect(await readTwice(readFileSync(join(RECORDED, name)))).toSatisfy(isSame);
      expect(await readTwice(readFileSync(join(RECORDED, name)), [1000, 1, 70_000])).toSatisfy(
        isSame,
      );
    },
  );

  it('judges anew when rules have other levels', async () => {
    const line = (toLines(['hello'])[0] ?? '').replace(',"timestamp":1759648089100', '');
    const faulty = line.replace('"content":"hello"', '"content":5');
    const bytes = Buffer.from(`${[HEADER, line, faulty, faulty, faulty].join('\n')}\n`);
    const off: RuleLevels = new Map([['message-shape', 'off']]);
    const rules = async (levels: RuleLevels) =>
      (await check(bytes, [], true, levels)).answer.findings
        .map(({ rule }) => rule)
        .filter((rule) => rule === 'message-shape');
    expect(await rules(off)).toEqual([]);
    expect(await rules(DEFAULT)).toHaveLength(3);
    expect(await rules(off)).toEqual([]);
  });
});
