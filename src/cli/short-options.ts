import type { OptionSpecs } from '../commands/command.ts';
import { ALWAYS, findOption, getOption, takeBeforeEnd } from './option-table.ts';

/**
 * Splits short options that are written as one word, as other programs take them: `-qj4` is `-q -j 4`, and
 * `-ofile.json` is `-o file.json`. The parser would take a letter behind one that needs a value for another option.
 */
export function splitShortOptions(words: readonly string[], options: OptionSpecs): string[] {
  const known: OptionSpecs = { ...options, ...ALWAYS };
  const end = takeBeforeEnd(words).length;
  return words.flatMap((word, at) => {
    const isOption = at < end && /^-[^-]./s.test(word);
    return isOption && !isValue(words[at - 1], known) ? split(word, known) : [word];
  });
}

/** Returns whether a word behind this one is its value, even if it looks like an option. */
function isValue(before: string | undefined, options: OptionSpecs): boolean {
  const name = before?.startsWith('--') === true ? before.slice(2) : '';
  return getOption(name, options)?.nargs !== undefined;
}

function split(word: string, options: OptionSpecs): string[] {
  const flags: string[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const spec = findOption(letter, options);
    if (!spec) return [word];
    if (spec.type !== 'boolean') {
      const value = word.slice(at + 1).replace(/^=/, '');
      return [...flags, `-${letter}`, ...(value === '' ? [] : [value])];
    }
    flags.push(`-${letter}`);
  }
  return flags;
}
