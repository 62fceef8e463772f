import type { Turn } from '../../../session/model/text/conversation.ts';
import type { Entry } from '../../../session/model/entry.ts';
import type { SessionSummary } from '../../../session/model/summary.ts';
import { type Usage } from '../../../session/model/usage.ts';
import { fileOf, type ExportDocument, type ExportFormat } from '../format.ts';
import { getTitle, isWorthReading } from '../../turns/readable.ts';
import { escapeHtml } from './escape-html.ts';
import { formatOverviewFacts } from './overview/overview-facts.ts';
import { closePage, openPage, type PageFrame } from './page.ts';
import { SESSION_SCRIPT } from './session-script.ts';
import { SESSION_STYLE } from './session-style.ts';
import { type CallTitles, formatTurnBlock } from './turn-block.ts';
import { formatNumber, formatRecordedCost } from '../../../session/model/text/numbers.ts';

/** One page that needs nothing but itself: every branch, search, and nothing that could run. */
export const html: ExportFormat = {
  branches: 'always',
  isSelective: true,
  showsSubagents: true,
  showsUsage: true,
  redacts: false,
  images: ['inline', 'drop'],
  createFile: fileOf('.html', writeHtml),
};

async function* writeHtml(document: ExportDocument): AsyncGenerator<string> {
  const title = getTitle(document.summary);
  const { summary, usages } = document;
  const facts = usages ? formatOverviewFacts(summary, usages) : '';
  const frame: PageFrame = { title, style: SESSION_STYLE, script: SESSION_SCRIPT, facts };
  const places = new Places(document);
  const calls: CallTitles = new Map();
  yield openPage(frame) + formatBody(title, document);
  for await (const turn of document.turns()) {
    const parent = places.findParent(turn);
    if (!isWorthReading(turn)) continue;
    yield formatTurnBlock(turn, parent, calls);
    places.add(turn);
  }
  yield `<script type="application/json" id="end">{"leaf":${places.leaf}}</script>\n`;
  yield closePage(frame);
}

/** Numbers the turns that are shown, and finds for each the one it is attached to. */
class Places {
  readonly #document: ExportDocument;
  readonly #numbers = new Map<Entry, number>();
  #last: { readonly entry: Entry; readonly number: number } | undefined;
  #count = 0;

  constructor(document: ExportDocument) {
    this.#document = document;
  }

  add({ entry }: Turn): void {
    this.#last = { entry, number: this.#count };
    this.#numbers.set(entry, this.#count);
    this.#count += 1;
  }

  /** -1 for the first of a tree. */
  findParent({ entry }: Turn): number {
    const isSameEntry = this.#last?.entry === entry;
    if (!this.#document.isTree || isSameEntry) return this.#last?.number ?? -1;
    return this.#findNumber(this.#document.tree.parentOf(entry));
  }

  /** Returns the turn at which the page opens: the one at the current leaf, or the last before it. */
  get leaf(): number {
    return this.#document.isTree ? this.#findNumber(this.#document.leaf) : this.#count - 1;
  }

  /**
   * Finds the number of an entry, or else of its nearest ancestor that is shown; remembers it for
   * all on the way.
   */
  #findNumber(from: Entry | undefined): number {
    const passed: Entry[] = [];
    let at = from;
    while (at !== undefined && !this.#numbers.has(at)) {
      // The entry is a root of its own if the walk comes round a cycle.
      this.#numbers.set(at, -1);
      passed.push(at);
      at = this.#document.tree.parentOf(at);
    }
    const number = at === undefined ? -1 : (this.#numbers.get(at) ?? -1);
    for (const entry of passed) this.#numbers.set(entry, number);
    return number;
  }
}

const INDEX_LINK = '<a id="index" href="index.html">← All sessions</a>\n';

function formatBody(title: string, { summary, generator, hasIndex }: ExportDocument): string {
  const facts = getFacts(summary).map(
    ([name, value]) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`,
  );
  return `<body>
<header class="bar">
${hasIndex ? INDEX_LINK : ''}<button id="menu" type="button" aria-controls="outline" aria-expanded="false">☰<span class="sr">Outline</span></button>
<label class="search"><span class="sr">Search</span><input id="q" type="search" placeholder="Search" autocomplete="off"></label>
<span id="hits" role="status"></span>
<button id="prev" type="button" title="Previous match (Shift+Enter)">↑</button>
<button id="next" type="button" title="Next match (Enter)">↓</button>
<button id="tools" type="button" aria-pressed="false">Tools</button>
<button id="thinking" type="button" aria-pressed="false">Thinking</button>
</header>
<nav id="outline" aria-label="Outline"><ol id="toc"></ol></nav>
<main>
<header class="head">
<h1>${escapeHtml(title)}</h1>
<dl class="facts">${facts.join('')}</dl>
</header>
<noscript><p class="note">This page shows its session by a script of its own, which is switched off.</p></noscript>
<div id="turns"></div>
<footer>${escapeHtml(generator)}</footer>
</main>
`;
}

/** The sum of what is shown beside it; sessions without kinds have only the total. */
function sumTokens({ input, output, cacheRead, cacheWrite, totalTokens }: Usage): number {
  return input + output + cacheRead + cacheWrite || totalTokens;
}

function getFacts(summary: SessionSummary): readonly (readonly [string, string])[] {
  const { cwd, created, models, messageCount, usage, id, agent } = summary;
  const facts: readonly (readonly [string, string])[] = [
    ['Project', cwd],
    ['Started', created?.slice(0, 16).replace('T', ' ').concat(' UTC') ?? ''],
    ['Model', models.join(', ')],
    ['Messages', formatNumber(messageCount)],
    ['Tokens', usage ? formatNumber(sumTokens(usage)) : ''],
    ['Input', usage ? formatNumber(usage.input) : ''],
    ['Cached', usage ? formatNumber(usage.cacheRead) : ''],
    ['Cache written', usage ? formatNumber(usage.cacheWrite) : ''],
    ['Output', usage ? formatNumber(usage.output) : ''],
    ['Cost', usage ? formatRecordedCost(usage.cost) : ''],
    ['Session', `${agent} ${id}`],
  ];
  return facts.filter(([, value]) => value !== '' && value !== '0');
}
