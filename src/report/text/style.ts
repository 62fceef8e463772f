import type { Variables } from '../../session/dialect/surroundings/world.ts';
import { Chalk } from 'chalk';

type Paint = (text: string) => string;

/** Colors, or none; of chalk, whose own types would have to be installed with ours. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly underline: Paint;
  readonly blue: Paint;
  readonly green: Paint;
  readonly red: Paint & { readonly bold: Paint };
  readonly yellow: Paint & { readonly bold: Paint };
}

export interface StyleOptions {
  /** `--color` or `--no-color`; undefined when neither was given. */
  readonly color: boolean | undefined;
  readonly isTerminal: boolean;
  readonly env: Variables;
}

/** Colors on a terminal; NO_COLOR and FORCE_COLOR decide otherwise, and the flag over both. */
export function createStyle({ color, isTerminal, env }: StyleOptions): Style {
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  const usual = env['NO_COLOR'] ? false : forced || (isTerminal && env['TERM'] !== 'dumb');
  return new Chalk({ level: (color ?? usual) ? 1 : 0 });
}
