import {
  getNumber,
  getString,
  type JsonObject,
  listObjects,
  parseJsonObject,
} from '../../../../session/jsonl/edit/json.ts';
import type { SessionSummary } from '../../../../session/model/summary.ts';
import { getTitle } from '../../../turns/readable.ts';
import { stringify } from '../../../turns/stringify.ts';
import type { UsageFacts } from '../../../turns/usage-facts.ts';
import { escapeJsonBlock } from '../escape-html.ts';

const BEGIN = '<script type="application/json" id="facts">';
const END = '</script>';

/** The facts about one session in the overview. */
export interface OverviewFacts extends UsageFacts {
  readonly title: string;
  readonly cwd: string;
  readonly modified: string;
  readonly messages: number;
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/** The most facts that are kept whole: readers load no more than the head of a page. */
const MAX_ITEMS = 4000;
const MAX_TEXT = 500;

function toOverviewFacts(summary: SessionSummary, { models, days }: UsageFacts): JsonObject {
  const { cwd, modified, messageCount: messages } = summary;
  return {
    title: getTitle(summary),
    cwd: cwd.slice(0, MAX_TEXT),
    modified,
    messages,
    tokens: models.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: models.reduce((sum, { cost }) => sum + cost, 0),
    models: models
      .slice(0, MAX_ITEMS)
      .map((one) => ({ ...one, model: one.model.slice(0, MAX_TEXT) })),
    days: days.slice(-MAX_ITEMS).map((day) => ({ ...day })),
  };
}

/** The line of a page that holds its facts. */
export function formatOverviewFacts(summary: SessionSummary, usages: UsageFacts): string {
  return `${BEGIN}${escapeJsonBlock(stringify(toOverviewFacts(summary, usages)))}${END}\n`;
}

/** Reads the facts from the head of a page; undefined where there are none. */
export function readOverviewFacts(head: string): OverviewFacts | undefined {
  const start = head.indexOf(BEGIN);
  const end = head.indexOf(END, start);
  if (start === -1 || end === -1) return undefined;
  const facts = parseJsonObject(head.slice(start + BEGIN.length, end));
  return facts && parseOverviewFacts(facts);
}

function parseOverviewFacts(facts: JsonObject): OverviewFacts | undefined {
  const text = (key: string): string => getString(facts, key) ?? '';
  const number = (key: string): number => getNumber(facts, key) ?? 0;
  if (getString(facts, 'title') === undefined) return undefined;
  return {
    title: text('title'),
    cwd: text('cwd'),
    modified: text('modified'),
    messages: number('messages'),
    tokens: number('tokens'),
    cost: number('cost'),
    models: listObjects(facts['models']).map((model) => ({
      model: getString(model, 'model') ?? '',
      tokens: getNumber(model, 'tokens') ?? 0,
      cost: getNumber(model, 'cost') ?? 0,
    })),
    days: listObjects(facts['days']).map((day) => ({
      day: getString(day, 'day') ?? '',
      count: getNumber(day, 'count') ?? 0,
    })),
  };
}
