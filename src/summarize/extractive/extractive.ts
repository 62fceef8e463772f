import {
  type SpokenMessage,
  type Summarizer,
  SummaryError,
  type SummaryRequest,
} from '../../session/model/text/summarizer.ts';
import { toCharacters } from '../../session/model/text/tokens.ts';
import { findDecisions } from './decisions.ts';
import { fitItems } from './fit.ts';
import { findBranch, findChecks, findFiles, findLastWords } from './last-state.ts';
import { mergeSummary } from './merge.ts';
import { findNextSteps } from './next-steps.ts';
import { findBlocked, findCommits, findDone, findInProgress, findOpenCalls } from './progress.ts';
import { findConstraints, findCorrections, findGoals, findLinks } from './requests.ts';
import { formatSections, type Item, type Section, SECTIONS } from './sections.ts';
import { shorten } from '../../session/model/text/cut-text.ts';
import { toTurns } from './turns.ts';

const FINDERS = [
  findGoals,
  findConstraints,
  findDone,
  findCommits,
  findInProgress,
  findOpenCalls,
  findBlocked,
  findCorrections,
  findDecisions,
  findNextSteps,
  findLastWords,
  findBranch,
  findChecks,
  findFiles,
  findLinks,
] as const;

/** The most tokens that anyone reads, whatever room there is. */
const MAX_TOKENS = 4096;
/** The user's emphasis outweighs recency. */
const EMPHASIS = 100;
/** The characters that headings take. */
const HEADING_CHARACTERS = 260;

/**
 * Fills the summary format from the conversation itself: without a model, without the network, and
 * the same every time. Statements are quoted, never made up.
 */
export const extractive: Summarizer = {
  summarize: (request) => Promise.resolve({ text: extract(request) }),
};

function extract({
  kind,
  messages,
  previousSummary,
  instructions,
  maxTokens,
}: SummaryRequest): string {
  const turns = toTurns(messages);
  const found = [...findSummaries(messages), ...FINDERS.flatMap((find) => find(turns))];
  const sections = getSections(kind);
  const items = mergeSummary(previousSummary, found).filter(({ section }) =>
    sections.includes(section),
  );
  const room = toCharacters(Math.min(maxTokens, MAX_TOKENS)) - HEADING_CHARACTERS;
  const kept = fitItems(emphasize(items, instructions), room);
  if (kept.length === 0) throw new SummaryError('nothing in the conversation could be summarized');
  const isFilled = (section: Section) => kept.some((item) => item.section === section);
  return formatSections(kept, kind === 'turn-prefix' ? sections.filter(isFilled) : sections);
}

/** Finds the summaries of other branches. */
function findSummaries(messages: readonly SpokenMessage[]): readonly Item[] {
  return messages.flatMap((message) => {
    if (message.role !== 'user' || message.from !== 'summary' || message.text === '') return [];
    const text = `Summary of a branch that was left: ${shorten(message.text, 900)}`;
    return { section: 'context' as const, text, weight: 50 };
  });
}

/** Adds weight to items that the user's instructions mention. */
function emphasize<T extends { text: string; weight: number }>(
  items: readonly T[],
  instructions: string | undefined,
): readonly T[] {
  const words = new Set(instructions?.toLowerCase().match(/[\p{L}\p{N}_./-]{4,}/gu));
  if (words.size === 0) return items;
  return items.map((item) => {
    const text = item.text.toLowerCase();
    const found = [...words].filter((word) => text.includes(word)).length;
    return { ...item, weight: item.weight + (EMPHASIS * found) / words.size };
  });
}

function getSections(kind: SummaryRequest['kind']): readonly Section[] {
  return kind === 'branch' ? SECTIONS.filter((section) => section !== 'context') : SECTIONS;
}
