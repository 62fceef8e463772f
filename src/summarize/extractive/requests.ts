import type { Item } from './sections.ts';
import { shorten } from '../../session/model/text/cut-text.ts';
import { getSentences, quote } from './text.ts';
import type { Turn } from './turns.ts';

const RULE =
  /\b(?:must|never|always|only|don['’]?t|do not|should(?:n['’]?t)?|make sure|ensure|prefer|avoid|needs? to be|has to|have to|not allowed|no more|at (?:most|least)|keep)\b/i;
const CORRECTION =
  /^(?:no\b|nope|actually|wait|instead|rather|not\b|wrong|stop\b|let['’]?s|i (?:want|would|['’]?d|prefer|actually)|we (?:want|should|need)|use\b|revert)/i;
const LINK = /\bhttps?:\/\/[^\s<>"'`)\]]+/g;
const MAX_RULE = 240;
/** Marks what a later summary replaces. */
export const LATEST = 'Latest request: ';

/** Worth remembering, unlike `ok`, `continue` or `yo`. */
export function isSubstantial(text: string): boolean {
  return text.trim().length >= 24 && /\s\S+\s/.test(text);
}

/** Finds the goals of the user: the first request, and the latest that was answered. */
export function findGoals(turns: readonly Turn[]): readonly Item[] {
  const requests = getRequests(turns).filter(({ request }) => isSubstantial(request));
  const [first, ...rest] = requests;
  const latest = rest.findLast(({ answer }) => answer !== undefined);
  const items: Item[] = [];
  if (first) items.push({ section: 'goal', text: shorten(first.request, 700), weight: 100 });
  if (latest) {
    const text = `${LATEST}${shorten(latest.request, 500)}`;
    items.push({ section: 'goal', text, weight: 95 });
  }
  return items;
}

/** Rules that the person laid down, in the person's own words. */
export function findConstraints(turns: readonly Turn[]): readonly Item[] {
  return getRequests(turns).flatMap(({ request }, turn) =>
    getSentences(request)
      .filter((sentence) => isStatement(sentence) && RULE.test(sentence))
      .slice(0, 4)
      .map((sentence) => ({
        section: 'constraints' as const,
        text: shorten(sentence, MAX_RULE),
        weight: 55 + recency(turn, turns.length) * 10,
      })),
  );
}

/** Finds the requests by which the user changed the direction of the work. */
export function findCorrections(turns: readonly Turn[]): readonly Item[] {
  return getRequests(turns)
    .slice(1)
    .flatMap(({ request }, turn) => {
      const found = getSentences(request).filter((one) => isStatement(one) && CORRECTION.test(one));
      return found.slice(0, 2).map((sentence) => ({
        section: 'decisions' as const,
        text: `**User**: ${shorten(sentence, MAX_RULE)}`,
        weight: 45 + recency(turn, turns.length) * 15,
      }));
    });
}

/** Addresses that the person gave. */
export function findLinks(turns: readonly Turn[]): readonly Item[] {
  const links = getRequests(turns).flatMap(({ request }) => request.match(LINK) ?? []);
  return [...new Set(links)].slice(-8).map((link) => ({
    section: 'context',
    text: `Given by the user: ${quote(shorten(link, 200))}`,
    weight: 40,
  }));
}

function getRequests(turns: readonly Turn[]): readonly Turn[] {
  return turns.filter(({ from }) => from === 'person');
}

/** 0 for the first, 1 for the last. */
export function recency(index: number, count: number): number {
  return count > 1 ? index / (count - 1) : 1;
}

function isStatement(sentence: string): boolean {
  return sentence.length >= 12 && sentence.length <= 600 && !/[?:]$/.test(sentence);
}
