import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  PlainSummarizer,
  SessionSummarizer,
} from '../../../../src/session/agents/claude-code/index/summarize.ts';
import type { LineFold } from '../../../../src/session/dialect/fold.ts';
import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import { LineSplitter } from '../../../../src/session/jsonl/read/line-splitter.ts';
import { parseLine } from '../../../../src/session/jsonl/read/parse-line.ts';
import { runs } from '../../../harness/runs.ts';
import { lastPrompt, OTHER, printed } from './asked-lines.ts';
import {
  assistant,
  boundary,
  call,
  HEALTHY,
  result,
  summary,
  text,
  toNode,
  toText,
  user,
} from './healthy-session.ts';

const STAMP = { dev: '1', ino: '1', mtimeMs: 1.9e12, ctimeMs: 1, mode: 0o600 };
const LARGE = 6e6;

function fold<T>(lines: LineFold<T>, bytes: Buffer, size: number): T {
  const splitter = new LineSplitter((line) => lines.visit(line, parseLine(line)));
  splitter.push(bytes);
  splitter.end();
  return lines.finish({ path: '/s/x.jsonl', stamp: { ...STAMP, size } });
}

/** Mostly what stands in sessions, and all that decides where a session continues. */
const CONTENTS: readonly JsonObject[] = [
  user('Go on.'),
  user('Go on.'),
  assistant('m1', text('Yes.')),
  assistant('m1', call('c1')),
  assistant('m2', call('c2')),
  user([result('c1')]),
  user([result('c2')]),
  { type: 'attachment', attachment: { type: 'queued_command', toolUseID: 'c1' } },
  { type: 'attachment', attachment: { type: 'file_snapshot' } },
  printed,
  boundary(),
  summary,
  assistant('m3', text('No.'), OTHER),
];
const RARE: readonly JsonObject[] = [
  user('Reminder.', { isMeta: true }),
  { type: 'progress', data: {} },
  user('Aside.', { isSidechain: true }),
  { type: 'user', message: 'broken' },
  boundary({ preservedSegment: { anchorUuid: 'n1', headUuid: 'n1', tailUuid: 'n2' } }),
];

/** A node, below another that stands so many lines above it; or a note about the leaf, or a title. */
const step = fc.record({
  content: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...CONTENTS) },
    { weight: 1, arbitrary: fc.constantFrom(...RARE) },
  ),
  above: fc.oneof(
    { weight: 12, arbitrary: fc.constant(1) },
    { weight: 4, arbitrary: fc.integer({ min: 2, max: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom(0, -1, 99) },
  ),
  seconds: fc.integer({ min: -1, max: 2 }),
  prompt: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 6 }),
  explicit: fc.boolean(),
  isTitle: fc.boolean(),
  isTwice: fc.constantFrom(...Array.from({ length: 40 }, (_, index) => index === 0)),
});

function toLines(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) {
  const lines: JsonObject[] = [];
  for (const [index, { content, above, seconds, prompt, ...more }] of steps.entries()) {
    const parent = index - above;
    const isRoot = index === 0 || content['subtype'] === 'compact_boundary';
    const id = `n${more.isTwice ? index - 1 : index}`;
    lines.push(toNode(id, isRoot ? null : `n${parent}`, index + seconds, content));
    const explicit = more.explicit ? { explicit: true } : {};
    if (prompt !== null && prompt > 0) lines.push(lastPrompt(`n${index - prompt + 1}`, explicit));
    if (prompt === 0) lines.push({ ...lastPrompt('', explicit), leafUuid: null });
    if (more.isTitle) lines.push({ type: 'custom-title', customTitle: `t${index}` });
  }
  return lines;
}

it('says of a session what its index says, or refuses it', () => {
  let accepted = 0;
  let all = 0;
  const sessions = fc.array(step, { minLength: 1, maxLength: 14 });
  fc.assert(
    fc.property(sessions, fc.constantFrom(1000, LARGE), (steps, size) => {
      const bytes = Buffer.from(toText(toLines(steps)));
      const plain = fold(new PlainSummarizer({ usage: true }), bytes, size);
      all += 1;
      if (plain === undefined) return;
      accepted += 1;
      expect(plain).toEqual(fold(new SessionSummarizer({ usage: true }), bytes, size));
    }),
    { numRuns: runs(1200) },
  );
  expect(accepted / all).toBeGreaterThan(0.2);
});

it('takes a healthy session, and stops at what is unusual', () => {
  const bytes = Buffer.from(toText(HEALTHY));
  expect(fold(new PlainSummarizer({ usage: false }), bytes, 1000)).toBeDefined();
  const odd = new PlainSummarizer({ usage: false });
  fold(odd, Buffer.from(toText([...HEALTHY, toNode('n9', 'n8', 9, user('Where?'))])), 1000);
  expect(odd.isRefused).toBe(true);
});
