import type { Item, Section } from './sections.ts';

const FILE_LISTS = /<(read-files|modified-files)>[\s\S]*?(?:<\/\1>|$)/g;
const BULLET = /^(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+)/;
const NOTHING = /^\(?none\b[^)]*\)?\.?$/i;
/** In order: the first that fits decides. */
const HEADINGS: readonly (readonly [RegExp, Section])[] = [
  [/constraint|preference/i, 'constraints'],
  [/in progress|current/i, 'inProgress'],
  [/block/i, 'blocked'],
  [/done|completed|progress so far/i, 'done'],
  [/decision/i, 'decisions'],
  [/next/i, 'next'],
  [/goal|request/i, 'goal'],
];

/** The statements of an earlier summary, whoever wrote it; what fits nowhere is context. */
export function parseSummary(summary: string): readonly Omit<Item, 'weight'>[] {
  const items: { section: Section; text: string }[] = [];
  let section: Section = 'context';
  let isOpen = false;
  for (const raw of summary.replace(FILE_LISTS, '').split('\n')) {
    const heading = /^#+\s+(.*)$/.exec(raw)?.[1];
    const line = raw.trim();
    if (heading !== undefined) section = toSection(heading);
    const last = items.at(-1);
    if (heading !== undefined || line === '' || /^-{3,}$/.test(line)) isOpen = false;
    else if (last && isOpen && !BULLET.test(line)) last.text += ` ${line}`;
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
