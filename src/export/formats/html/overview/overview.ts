import { replaceEach } from '../../../../session/model/text/hidden-characters.ts';
import { drawActivity } from '../activity.ts';
import { escapeHtml } from '../escape-html.ts';
import type { OverviewFacts } from './overview-facts.ts';
import { OVERVIEW_SCRIPT } from './overview-script.ts';
import { OVERVIEW_STYLE } from './overview-style.ts';
import { closePage, isOwnPage, openPage, type PageFrame } from '../page.ts';
import {
  formatRecordedCost,
  formatNumber as formatCount,
} from '../../../../session/model/text/numbers.ts';

export interface OverviewPage {
  /** The path of the session's page, relative to the overview. */
  readonly href: string;
  readonly session: OverviewFacts;
}

interface Total {
  readonly sessions: number;
  readonly tokens: number;
  readonly cost: number;
}

const NOTHING: Total = { sessions: 0, tokens: 0, cost: 0 };
/** Rows of a table of totals; the rest are summed up in one. */
const MAX_TOTALS = 12;

const TITLE = 'Sessions';

/** Returns whether a page begins like one that `writeOverviewPage` makes, or an earlier version did. */
export function isOverviewPage(start: string): boolean {
  return isOwnPage(start, TITLE);
}

/** The `index.html` over many sessions: totals, activity, and the list, latest first. */
export async function* writeOverviewPage(pages: readonly OverviewPage[]): AsyncGenerator<string> {
  const frame: PageFrame = { title: TITLE, style: OVERVIEW_STYLE, script: OVERVIEW_SCRIPT };
  const sessions = pages.map(({ session }) => session);
  yield openPage(frame);
  yield `<body>\n<main>\n<h1>Sessions</h1>\n<p class="sum">${formatSum(sessions)}</p>\n`;
  yield `<div class="scroll">${drawActivity(sumDays(sessions))}</div>\n<div class="cards">\n`;
  yield formatTotals('Projects', sumByProject(sessions));
  yield formatTotals('Models', sumByModel(sessions));
  yield '</div>\n<h2>All sessions</h2>\n';
  yield '<label><span class="sr">Filter</span><input id="filter" type="search" placeholder="Filter"></label>\n';
  yield `<table id="sessions">${LIST_HEAD}<tbody>\n`;
  const byTime = pages.toSorted((a, b) => (a.session.modified < b.session.modified ? 1 : -1));
  for (const page of byTime) yield formatRow(page);
  yield '</tbody></table>\n</main>\n';
  yield closePage(frame);
}

const COLUMNS = [
  ['Last active', ''],
  ['Session', ''],
  ['Project', 'wide'],
  ['Messages', 'n wide'],
  ['Tokens', 'n wide'],
  ['Cost', 'n'],
] as const;
const LIST_HEAD = `<thead><tr>${COLUMNS.map(
  ([name, kind]) => `<th class="${kind}"><button type="button">${name}</button></th>`,
).join('')}</tr></thead>`;

function formatRow({ href, session }: OverviewPage): string {
  const { modified, title, cwd, messages, tokens, cost } = session;
  return `<tr><td class="dim">${escapeHtml(modified.slice(0, 10))}</td>
<td class="name"><a href="${escapeHtml(encodeURI(href))}">${escapeHtml(title)}</a></td>
<td class="wide dim name">${formatName(cwd)}</td>${[
    formatNumber(messages, 'n wide', formatCount(messages)),
    formatNumber(tokens, 'n wide', formatCount(tokens)),
    formatNumber(cost, 'n', formatRecordedCost(cost)),
  ].join('')}</tr>\n`;
}

function formatNumber(value: number, kind: string, text: string): string {
  return `<td class="${kind}" data-k="${value}">${text}</td>`;
}

function formatSum(sessions: readonly OverviewFacts[]): string {
  const tokens = sessions.reduce((sum, one) => sum + one.tokens, 0);
  const cost = sessions.reduce((sum, one) => sum + one.cost, 0);
  const sums = [`${formatCount(sessions.length)} sessions`, `${formatCount(tokens)} tokens`];
  return [...sums, formatRecordedCost(cost)].filter(Boolean).join(' · ');
}

function formatTotals(name: string, totals: ReadonlyMap<string, Total>): string {
  const sorted = [...totals].toSorted(([, a], [, b]) => b.cost - a.cost || b.tokens - a.tokens);
  const rest = sorted.slice(MAX_TOTALS);
  const shown = sorted.slice(0, MAX_TOTALS);
  if (rest.length > 0) {
    const sum = rest.reduce((all, [, total]) => add(all, total), NOTHING);
    shown.push([`${rest.length} others`, sum]);
  }
  const rows = shown.map(
    ([key, { sessions, tokens, cost }]) =>
      `<tr><td class="name">${formatName(key || '(none)')}</td><td class="n wide">${formatCount(sessions)}</td>` +
      `<td class="n">${formatCount(tokens)}</td><td class="n">${formatRecordedCost(cost)}</td></tr>`,
  );
  return `<section><h2>${name}</h2><table><thead><tr><th>${name.slice(0, -1)}</th><th class="n wide">Sessions</th><th class="n">Tokens</th><th class="n">Cost</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>\n`;
}

function sumByProject(sessions: readonly OverviewFacts[]): ReadonlyMap<string, Total> {
  const totals = new Map<string, Total>();
  for (const { cwd, tokens, cost } of sessions) {
    totals.set(cwd, add(totals.get(cwd) ?? NOTHING, { sessions: 1, tokens, cost }));
  }
  return totals;
}

function sumByModel(sessions: readonly OverviewFacts[]): ReadonlyMap<string, Total> {
  const totals = new Map<string, Total>();
  for (const { model, tokens, cost } of sessions.flatMap(({ models }) => models)) {
    totals.set(model, add(totals.get(model) ?? NOTHING, { sessions: 1, tokens, cost }));
  }
  return totals;
}

function sumDays(sessions: readonly OverviewFacts[]): ReadonlyMap<string, number> {
  const days = new Map<string, number>();
  for (const { day, count } of sessions.flatMap((session) => session.days)) {
    days.set(day, (days.get(day) ?? 0) + count);
  }
  return days;
}

function add(a: Total, b: Total): Total {
  return {
    sessions: a.sessions + b.sessions,
    tokens: a.tokens + b.tokens,
    cost: a.cost + b.cost,
  };
}

/** Formats a path or a model: lines break after its separators. */
function formatName(name: string): string {
  return replaceEach(escapeHtml(name), /[/\\]+/g, (separator) => `${separator}<wbr>`);
}
