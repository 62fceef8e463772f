import fc from 'fast-check';
import { assistant, call, HEADER, result, toUsage, user } from '../../session-lines.ts';

const TIME = '2026-03-01T10:00:00.000Z';

/** What to append: where it hangs, what it is, and which earlier entry it is about. */
interface Step {
  readonly kind: (typeof KINDS)[number];
  /** Hangs on the entry before it, or, seldom, on another. */
  readonly back: number;
  readonly about: number;
  readonly size: number;
}

const KINDS = [
  'user',
  'assistant',
  'assistant',
  'tools',
  'bash',
  'system',
  'custom-message',
  'custom',
  'custom',
  'model',
  'thinking',
  'label',
  'name',
  'compaction',
  'branch-summary',
  'omit',
  'replace',
  'failed',
] as const;

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  back: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.nat(30)),
  about: fc.nat(40),
  size: fc.constantFrom(1, 20, 400, 3000),
});

/** Sessions with branches, compactions, edits, labels and state, whose references are all valid. */
export const randomSession: fc.Arbitrary<readonly object[]> = fc
  .array(step, { minLength: 1, maxLength: 40 })
  .map(buildSession);

interface Placed {
  readonly id: string;
  readonly parent: Placed | undefined;
  readonly type: string;
}

function buildSession(steps: readonly Step[]): readonly object[] {
  const placed: Placed[] = [];
  const lines: object[] = [HEADER];
  const add = (parent: Placed | undefined, entry: { type: string }): Placed => {
    const one = { id: `e${placed.length}`, parent, type: entry.type };
    placed.push(one);
    lines.push({ ...entry, id: one.id, parentId: parent?.id ?? null, timestamp: TIME });
    return one;
  };
  for (const { kind, back, about, size } of steps) {
    const parent = placed.at(-1 - (back % Math.max(placed.length, 1)));
    const path = getPath(parent);
    const target = path[about % Math.max(path.length, 1)];
    const [first, ...rest] = toEntries(kind, 'x'.repeat(size), target?.id, about);
    let at = first && add(parent, first);
    for (const entry of rest) at = add(at, entry);
  }
  return lines;
}

function getPath(leaf: Placed | undefined): readonly Placed[] {
  const path: Placed[] = [];
  for (let at = leaf; at; at = at.parent) path.unshift(at);
  return path;
}

function message(body: object): { type: string; message: object } {
  return { type: 'message', message: body };
}

function toEntries(
  kind: Step['kind'],
  text: string,
  target: string | undefined,
  about: number,
): readonly { type: string }[] {
  const of = (type: string, more: object) => [{ type, ...more }];
  switch (kind) {
    case 'user':
      return [message(user(text))];
    case 'assistant':
      return [message(assistant(text, { usage: toUsage(about * 100) }))];
    case 'failed':
      return [message(assistant(text, { stopReason: 'error', errorMessage: 'overloaded' }))];
    case 'tools':
      return [
        message(call(`c${about}`, 'edit', { path: `${about}.ts` })),
        message(result(`c${about}`, 'edit', text)),
      ];
    case 'bash':
      return [message({ role: 'bashExecution', command: 'ls', output: text, exitCode: 0 })];
    case 'system':
      return [message({ role: 'system', content: text, sections: { a: text }, timestamp: 1 })];
    case 'custom-message':
      return of('custom_message', { customType: 'note', content: text, display: true });
    case 'custom':
      return of('custom', { customType: `ext-${about % 3}`, data: { text } });
    case 'model':
      return of('model_change', { provider: 'p', modelId: `m${about}` });
    case 'thinking':
      return of('thinking_level_change', { thinkingLevel: about % 2 ? 'high' : 'low' });
    case 'name':
      return of('session_info', { name: `name ${about}` });
    default:
      return target === undefined ? [message(user(text))] : toReferring(kind, text, target, about);
  }
}

function toReferring(
  kind: string,
  text: string,
  target: string,
  about: number,
): readonly { type: string }[] {
  const of = (type: string, more: object) => [{ type, ...more }];
  switch (kind) {
    case 'label':
      return of('label', { targetId: target, ...(about % 4 > 0 && { label: `label ${about}` }) });
    case 'compaction':
      return of('compaction', { summary: text, firstKeptEntryId: target, tokensBefore: 1 });
    case 'branch-summary':
      return of('branch_summary', { fromId: target, summary: text });
    case 'omit':
      return of('context_edit', { targetId: target, replacement: null });
    default:
      return of('context_edit', { targetId: target, replacement: { content: text } });
  }
}
