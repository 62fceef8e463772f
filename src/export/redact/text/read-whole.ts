import type { Readings } from './read-as.ts';
import { View } from './view.ts';

/** More than one blank, or another one than a space. */
const BLANKS = /(?! \S)\s{1,200}/g;

/**
 * Readings for secrets that are known: the text as it is, since the longest word need not be broken for them; and with
 * one blank between words, as a title has it.
 */
export function readWhole({ text, plain, ends }: Readings, haveBlanks: boolean): readonly View[] {
  const whole = plain[0]?.text === text ? [] : [View.of(text)];
  const even = haveBlanks ? ends.flatMap((view) => view.replace(BLANKS, () => ' ') ?? []) : [];
  return [...whole, ...even];
}
