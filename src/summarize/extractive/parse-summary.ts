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
  let isCode = false;
  for (const raw of summary.replace(FILE_LISTS, '').split('\n')) {
    const line = raw.trim();
    // What is between fences is one statement; a cut one must not open a block.
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
