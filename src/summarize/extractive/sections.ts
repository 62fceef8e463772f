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
  /** What is light goes first when there is not room for all. */
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
