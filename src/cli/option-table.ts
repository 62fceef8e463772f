import type { OptionSpec, OptionSpecs } from '../commands/command.ts';
import { configOptions } from '../commands/shared/options.ts';

/** The options that every command has. */
export const ALWAYS: OptionSpecs = {
  help: { type: 'boolean', alias: 'h' },
  version: { type: 'boolean', alias: 'V' },
  ...configOptions,
};

/** Gets an option by its name, which may be that of a member of every object. */
export function getOption(name: string, options: OptionSpecs): OptionSpec | undefined {
  return Object.hasOwn(options, name) ? options[name] : undefined;
}

/** Finds an option by its name or by its letter. */
export function findOption(name: string, options: OptionSpecs): OptionSpec | undefined {
  return getOption(name, options) ?? Object.values(options).find(({ alias }) => alias === name);
}

/** Takes the words that may be options: those behind `--` are targets. */
export function takeBeforeEnd(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end === -1 ? words : words.slice(0, end);
}
