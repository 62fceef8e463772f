import { relative } from 'node:path';
import { pick } from '../../harness/pick.ts';
import type { Call } from './fault-layer.mjs';
import { changesOrFlushes, REMOVALS } from './modes.ts';
import { TEMPORARY } from './sandbox.ts';
import { IS_LONG } from './sandbox-root.ts';

/** Parts of names that differ from run to run: of temporary files, and of what lies in the trash. */
const RANDOM = /\.\d+@[^/]*(?=\.coppice-tmp$)|\.[\da-f]{12}(?=[./]|$)/g;

/** Of the kinds of calls that only look, so many are left out for each that is tried. */
const LEFT_OUT = 3;

/**
 * Which of the calls that are concerned are to meet a fault, as numbers from 1: in the long form all. In the short one
 * calls are of one kind that do the same to files of the same role. Of each kind that changes or flushes
 * something, the first is chosen and another one; of the kinds that only look, every fourth is, with one
 * call, and behind the first removal each is, since the rest of the run relies on what they see. The seed chooses, so
 * that another seed tries others.
 */
export function chooseCalls(
  calls: readonly Call[],
  root: string,
  name: string,
  isConcerned: (call: Call) => boolean = () => true,
): readonly number[] {
  const concerned = calls.filter(isConcerned);
  const all = concerned.map((_, index) => index + 1);
  if (IS_LONG) return all;
  const removal = calls.find(removesOwn)?.number ?? Number.POSITIVE_INFINITY;
  const groups = new Map<string, Group>();
  for (const [index, call] of concerned.entries()) {
    const changes = changesOrFlushes(call);
    const isBehind = !changes && call.number > removal;
    const kind = `${isBehind ? 'behind a removal: ' : ''}${toKind(call, root)}`;
    const group = groups.get(kind) ?? { numbers: [], isBehind, changes: false };
    groups.set(kind, group);
    group.numbers.push(index + 1);
    group.changes ||= changes;
  }
  const chosen = [...groups].flatMap(([kind, { numbers, isBehind, changes }]) => {
    const one = numbers[pick(numbers.length, `${name}: ${kind}`)];
    if (changes) return [numbers[0], one];
    const isTried = isBehind || pick(1 + LEFT_OUT, `${name}, whether: ${kind}`) === 0;
    return isTried ? [one] : [];
  });
  const wanted = new Set(chosen);
  return all.filter((number) => wanted.has(number));
}

/** Calls of one kind. */
interface Group {
  readonly numbers: number[];
  /** They look at what there is behind the first removal. */
  readonly isBehind: boolean;
  changes: boolean;
}

/** Whether a file or directory loses its name that is not one of coppice's own temporary files. */
function removesOwn({ name, path }: Call): boolean {
  return (REMOVALS.has(name) || name === 'rename') && !TEMPORARY.test(path);
}

/** What two calls have in common that do the same to files of the same role. */
function toKind({ name, path, to, creates }: Call, root: string): string {
  const roles = [path, to].map((one) => one && relative(root, one).replaceAll(RANDOM, ''));
  return [name, creates, ...roles].join(' ');
}
