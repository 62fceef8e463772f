import type { ConfigRule, OptionSpec, OptionSpecs } from './command.ts';

/** Harmless whoever says it: what is shown and checked. */
export const BY_PROJECT = { by: 'project' } as const satisfies ConfigRule;
/** Which sessions are meant, where things go, who is asked. */
export const BY_USER = { by: 'user' } as const satisfies ConfigRule;

/** The same options, for a command on whose command line they have to be. */
export function onCommandLineOnly<O extends OptionSpecs>(options: O): O {
  const bare = Object.entries(options).map(
    ([name, { inConfig: _, ...spec }]): [string, OptionSpec] => [name, spec],
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same keys and types
  return Object.fromEntries(bare) as O;
}
