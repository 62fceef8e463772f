/** The parts of a summary, in the order in which agents write and expect them. */
export const SECTIONS = [
  'goal',
  'constraints',
  'done',
  'inProgress',
  'blocked',
  'decisions',
  'next',
  'context',
] as const;

export type Section = (typeof SECTIONS)[number];

/** One statement of a summary. */
export interface Item {
  readonly section: Section;
  /** One paragraph of Markdown, without its bullet. */
  readonly text: string;
  /** Light items are dropped first when there is not enough room. */
  readonly weight: number;
}

interface Layout {
  readonly heading: string;
  /** Printed above it, once. */
  readonly group?: string;
  readonly bullet: (position: number) => string;
}

const DASH = (): string => '- ';

const LAYOUTS: Readonly<Record<Section, Layout>> = {
  goal: { heading: '## Goal', bullet: () => '' },
  constraints: { heading: '## Constraints & Preferences', bullet: DASH },
  done: { heading: '### Done', group: '## Progress', bullet: () => '- [x] ' },
  inProgress: { heading: '### In Progress', group: '## Progress', bullet: () => '- [ ] ' },
  blocked: { heading: '### Blocked', group: '## Progress', bullet: DASH },
  decisions: { heading: '## Key Decisions', bullet: DASH },
  next: { heading: '## Next Steps', bullet: (position) => `${position}. ` },
  context: { heading: '## Critical Context', bullet: DASH },
};

/** The Markdown of a summary; a section without items says so. */
export function formatSections(items: readonly Item[], sections: readonly Section[]): string {
  let group: string | undefined;
  const parts = sections.map((section) => {
    const { heading, bullet, ...layout } = LAYOUTS[section];
    const isNewGroup = layout.group !== undefined && layout.group !== group;
    group = layout.group;
    const lines = items
      .filter((item) => item.section === section)
      .map(({ text }, index) => `${bullet(index + 1)}${text}`);
    const body = lines.length > 0 ? lines.join(section === 'goal' ? '\n\n' : '\n') : '- (none)';
    return `${isNewGroup ? `${group}\n` : ''}${heading}\n${body}`;
  });
  return parts.join('\n\n');
}

const FILE_LISTS = /<(read-files|modified-files)>[\s\S]*?(?:<\/\1>|$)/g;

const BULLET = /^(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)/;

const NOTHING = /^\(?none\b[^)]*\)?\.?$/i;

/** The headings in order: the first that fits decides. */
const HEADINGS: readonly (readonly [RegExp, Section])[] = [
  [/constraint|preference/i, 'constraints'],
  [/in progress|current/i, 'inProgress'],
  [/block/i, 'blocked'],
  [/done|completed|progress so far/i, 'done'],
  [/decision/i, 'decisions'],
  [/next/i, 'next'],
  [/goal|request/i, 'goal'],
];

/** The statements of an earlier summary, no matter who wrote it; what fits nowhere is context. */
export function parseSummary(summary: string): readonly Omit<Item, 'weight'>[] {
  const items: { section: Section; text: string }[] = [];
  let section: Section = 'context';
  let isOpen = false;
  let isCode = false;
  for (const raw of summary.replace(FILE_LISTS, '').split('\n')) {
    const line = raw.trim();
    // The text between fences is one statement; a cut one must not open a block.
    if (line.startsWith('```')) {
      isCode = !isCode;
      continue;
    }
    const heading = isCode ? undefined : /^#+\s(.*)$/.exec(raw)?.[1];
    if (heading !== undefined) section = toSection(heading);
    const last = items.at(-1);
    if (heading !== undefined || (line === '' && !isCode) || /^-{3,}$/.test(line)) isOpen = false;
    else if (last && isOpen && (isCode || !BULLET.test(line))) last.text += ` ${line}`;
    else {
      items.push({ section, text: line.replace(BULLET, '') });
      isOpen = true;
    }
  }
  return items.filter(({ text }) => text !== '' && !NOTHING.test(text));
}

function toSection(heading: string): Section {
  return HEADINGS.find(([pattern]) => pattern.test(heading))?.[1] ?? 'context';
}
