import type { View } from './view.ts';

interface Damage {
  readonly name: string;
  readonly damage: (lines: readonly string[], at: number) => string;
}

const join = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

function insert(lines: readonly string[], at: number, line: string): string {
  return join([...lines.slice(0, at), line, ...lines.slice(at)]);
}

const BOM = '\ufeff';
const TORN = '{"type":"message","id":"0123';

/** What crashes and old releases do to a file, and `validate --fix` undoes. */
const DAMAGES: readonly Damage[] = [
  { name: 'a byte order mark', damage: (lines) => `${BOM}${join(lines)}` },
  { name: 'a torn end', damage: (lines) => `${join(lines)}${TORN}` },
  { name: 'no end', damage: (lines) => join(lines).trimEnd() },
  { name: 'NUL bytes', damage: (lines, at) => insert(lines, at, '\0'.repeat(9)) },
  {
    name: 'two records on a line',
    damage: (lines, at) => {
      const from = Math.min(at, lines.length - 2);
      if (from < 1) return join(lines);
      const glued = lines.slice(from, from + 2).join('');
      return join([...lines.slice(0, from), glued, ...lines.slice(from + 2)]);
    },
  },
  {
    name: 'a second header',
    damage: (lines, at) => insert(lines, at, lines[0] ?? ''),
  },
];

/** A damaged file, and what was done to it. */
export function damage({ text, version }: View, pick: number): { name: string; text: string } {
  const lines = text.split('\n').slice(0, -1);
  // Entries of v1 are named by counting lines, so one more line is more than damage.
  const possible = DAMAGES.filter(({ name }) => version > 1 || name !== 'a second header');
  const chosen = possible[pick % possible.length];
  const at = 1 + (pick % Math.max(1, lines.length - 1));
  return { name: chosen?.name ?? '', text: chosen?.damage(lines, at) ?? text };
}
