import { LATEST } from './requests.ts';
import { type Item, type Section, parseSummary } from './sections.ts';
import { shorten } from '../../session/model/text/cut-text.ts';
import { toKey } from './text.ts';

/**
 * The weights of sections from an earlier summary, which are kept before news of the same kind if they last
 * longer.
 */
const WEIGHTS: Readonly<Record<Section, number>> = {
  goal: 97,
  constraints: 62,
  done: 33,
  inProgress: 45,
  blocked: 30,
  decisions: 44,
  next: 25,
  context: 34,
};
const MAX_OLD = 700;
const STILL_OPEN = ' (open at an earlier checkpoint)';
const DECORATION = /^(?:Latest request: |\*\*User\*\*: )|\(open at an earlier checkpoint\)$/g;
/** Statements about the last state are stale as soon as there is a newer one. */
const STALE =
  /^(?:last said by the assistant|latest request|git branch switched to|files changed most)/i;

/**
 * The statements of an earlier summary that still hold, then the new ones, each once. Next steps are
 * taken over only where there are no new ones, and the goal only changes when a person says so.
 */
export function mergeSummary(
  previous: string | undefined,
  items: readonly Item[],
): readonly Item[] {
  const hasNext = items.some(({ section }) => section === 'next');
  const old = parseSummary(previous ?? '').filter(
    ({ section, text }) => !STALE.test(text) && !(section === 'next' && hasNext),
  );
  const hasGoal = old.some(({ section }) => section === 'goal');
  const news = items.filter(
    ({ section, text }) => !hasGoal || section !== 'goal' || text.startsWith(LATEST),
  );
  const carried = old.map((item, index): Item => {
    const age = old.length > 1 ? index / (old.length - 1) : 1;
    return { ...item, text: carry(item), weight: WEIGHTS[item.section] + age };
  });
  return removeRepeated([...carried, ...news]);
}

function carry({ section, text }: Omit<Item, 'weight'>): string {
  const isMarked = section !== 'inProgress' || text.endsWith(STILL_OPEN);
  return shorten(text, MAX_OLD) + (isMarked ? '' : STILL_OPEN);
}

/** Keeps the newest of equal statements, at the place of the oldest. */
function removeRepeated(items: readonly Item[]): readonly Item[] {
  const byKey = new Map<string, Item>();
  for (const item of items) {
    const key = toKey(item.text.replace(DECORATION, ''));
    const known = byKey.get(key);
    const isFinished = known?.section === 'inProgress' && item.section === 'done';
    if (known === undefined || known.section === item.section || isFinished) byKey.set(key, item);
  }
  return [...byKey.values()];
}
