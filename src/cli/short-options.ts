import type { OptionSpec, OptionSpecs } from '../commands/command.ts';
import { configOptions } from '../commands/shared/options.ts';

/** The short options that every command has. */
const FLAGS: ReadonlySet<string> = new Set(['h', 'V']);

/**
 * Splits short options that are written as one word, as other programs take them: `-qj4` is `-q -j 4`, and
 * `-ofile.json` is `-o file.json`. The parser would take a letter behind one that needs a value for another option.
 */
export function splitShortOptions(words: readonly string[], options: OptionSpecs): string[] {
  const known: OptionSpecs = { ...options, ...configOptions };
  const end = words.indexOf('--');
  return words.flatMap((word, at) => {
    const isOption = (end === -1 || at < end) && /^-[^-]./s.test(word);
    return isOption && !isValue(words[at - 1], known) ? split(word, known) : [word];
  });
}

/** Returns whether a word behind this one is its value, even if it looks like an option. */
function isValue(before: string | undefined, options: OptionSpecs): boolean {
  const name = before?.startsWith('--') === true ? before.slice(2) : '';
  return Object.hasOwn(options, name) && options[name]?.nargs !== undefined;
}

function split(word: string, options: OptionSpecs): string[] {
  const flags: string[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const spec = findShort(letter, options);
    if (spec && spec.type !== 'boolean') {
      const value = word.slice(at + 1).replace(/^=/, '');
      return [...flags, `-${letter}`, ...(value === '' ? [] : [value])];
    }
    if (!spec && !FLAGS.has(letter)) return [word];
    flags.push(`-${letter}`);
  }
  return flags;
}

function findShort(letter: string, options: OptionSpecs): OptionSpec | undefined {
  return Object.values(options).find(({ alias }) => alias === letter);
}
