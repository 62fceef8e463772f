import { Chalk, type ChalkInstance } from 'chalk';

/** Colours, or none. */
export type Style = ChalkInstance;

export interface StyleOptions {
  /** `--color` or `--no-color`; undefined when neither was given. */
  readonly color: boolean | undefined;
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Colours on a terminal; NO_COLOR and FORCE_COLOR decide otherwise, and the flag over both. */
export function createStyle({ color, isTerminal, env }: StyleOptions): Style {
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  const usual = env['NO_COLOR'] ? false : forced || (isTerminal && env['TERM'] !== 'dumb');
  return new Chalk({ level: (color ?? usual) ? 1 : 0 });
}
