import type { Item } from './sections.ts';
import { shorten } from '../../session/model/text/cut-text.ts';
import { getLines, getSentences } from './text.ts';
import type { Turn } from './turns.ts';

const HEADING =
  /^\W*(?:next(?: steps?| up)?|remaining|to ?do|still (?:open|to do)|what(?:'s| is) left)\b[^.]{0,60}:?\W*$/i;
const INTENT =
  /\b(?:next(?: step)? is|next,? (?:i|we)|i(?:'ll| will) (?:now|then)|now i(?:'ll| will)|let me|still (?:need|have) to|remaining|then we can)\b/i;
const OFFER =
  /^(?:want me to|shall i|should i|would you like|ready (?:to|for)|do you want)\b.*\?$/i;
const MAX_LISTED = 8;

/** Finds the steps that were announced and not yet done, and questions that the user has not answered. */
export function findNextSteps(turns: readonly Turn[]): readonly Item[] {
  const last = turns.findLast(({ said }) => said.length > 0);
  const text = last?.said.at(-1) ?? '';
  const listed = getListed(text);
  const sentences = getSentences(text);
  const offers = sentences.filter((one) => OFFER.test(one)).slice(-2);
  const intents = sentences
    .filter((one) => one.length >= 25 && INTENT.test(one) && !one.endsWith('?'))
    .slice(-3);
  const found = [
    ...listed,
    ...(listed.length === 0 ? intents : []),
    ...offers.map((offer) => `Wait for the user's answer to: ${offer}`),
  ];
  const unfinished = turns.at(-1);
  if (unfinished && unfinished.answer === undefined)
    found.push('Finish the request that is under way.');
  return found.map((step, index) => ({
    section: 'next',
    text: shorten(step, 240),
    weight: 80 - index,
  }));
}

/** The lines below the last heading that announces steps. */
function getListed(text: string): readonly string[] {
  const lines = getLines(text.slice(-6000));
  const heading = lines.findLastIndex((line) => HEADING.test(line));
  return heading === -1 ? [] : lines.slice(heading + 1, heading + 1 + MAX_LISTED);
}
