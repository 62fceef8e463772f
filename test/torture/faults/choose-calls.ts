import { relative } from 'node:path';
import { pick } from '../../harness/pick.ts';
import type { Call } from './fault-layer.mjs';
import { changesOrFlushes } from './modes.ts';
import { IS_LONG } from './sandbox-root.ts';

/** Parts of names that differ from run to run: of temporary files, and of what lies in the trash. */
const RANDOM = /\.\d+@[^/]*(?=\.coppice-tmp$)|\.[\da-f]{12}(?=[./]|$)/g;

/** Of the kinds of calls that only look, so many are left out for each that is tried. */
const LEFT_OUT = 3;

/**
 * Which of these calls are to meet a fault, as numbers from 1: in the long form all. In the short one
 * calls are of one kind that do the same to files of the same role. Of each kind that changes or flushes
 * something, the first is chosen and another one; of the kinds that only look, every fourth is, with one
 * call. The seed chooses, so that another seed tries others.
 */
export function chooseCalls(calls: readonly Call[], root: string, name: string): readonly number[] {
  const all = calls.map((_, index) => index + 1);
  if (IS_LONG) return all;
  const groups = new Map<string, { readonly numbers: number[]; isImportant: boolean }>();
  for (const [index, call] of calls.entries()) {
    const kind = toKind(call, root);
    const group = groups.get(kind) ?? { numbers: [], isImportant: false };
    groups.set(kind, group);
    group.numbers.push(index + 1);
    group.isImportant ||= changesOrFlushes(call);
  }
  const chosen = [...groups].flatMap(([kind, { numbers, isImportant }]) => {
    const one = numbers[pick(numbers.length, `${name}: ${kind}`)];
    if (isImportant) return [numbers[0], one];
    return pick(1 + LEFT_OUT, `${name}, whether: ${kind}`) === 0 ? [one] : [];
  });
  const wanted = new Set(chosen);
  return all.filter((number) => wanted.has(number));
}

/** What two calls have in common that do the same to files of the same role. */
function toKind({ name, path, to, creates }: Call, root: string): string {
  const roles = [path, to].map((one) => one && relative(root, one).replaceAll(RANDOM, ''));
  return [name, creates, ...roles].join(' ');
}
