import { recency } from './requests.ts';
import type { Item } from './sections.ts';
import { shorten } from '../../session/model/text/cut-text.ts';
import { getSentences } from './text.ts';
import type { Turn } from './turns.ts';

const DECIDED =
  /\b(?:root cause|the (?:actual |real )?(?:problem|issue|reason|culprit|fix|bug) (?:is|was)|decided|decision|instead of|rather than|going with|we(?:'ll| will) use|i(?:'ll| will) use|chose|turns out|because|trade-?off|so that)\b/i;
const MAX_PER_TURN = 3;

/** Finds the findings and decisions of the assistant, in its own words. */
export function findDecisions(turns: readonly Turn[]): readonly Item[] {
  return turns.flatMap(({ said, answer }, turn) =>
    said
      .flatMap((text) => {
        const sentences = getSentences(text).filter(
          (one) => isInformative(one) && DECIDED.test(one),
        );
        return sentences.map((sentence) => ({ sentence, isFinal: text === answer }));
      })
      .slice(-MAX_PER_TURN)
      .map(({ sentence, isFinal }) => ({
        section: 'decisions' as const,
        text: shorten(sentence, 260),
        weight: 30 + recency(turn, turns.length) * 20 + (isFinal ? 8 : 0),
      })),
  );
}

function isInformative(sentence: string): boolean {
  return sentence.length >= 30 && sentence.length <= 500 && !/[?:]$/.test(sentence);
}
