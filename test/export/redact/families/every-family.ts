import { LAID_OUT } from './layouts.ts';
import { NAMED } from './names.ts';
import { OTHERS_LAID_OUT } from './others-laid-out.ts';
import { OTHERS } from './others.ts';
import { GIVEN_TO_PROGRAMS } from './programs.ts';
import { base64, chars, DIGITS, HEX, LOWER, UPPER, uuid } from '../made-up.ts';

/** Forms in which secrets are written, by what they have in common; `*` is the secret. */
export const FAMILIES: readonly (readonly [family: string, forms: readonly string[]])[] = merge([
  NAMED,
  GIVEN_TO_PROGRAMS,
  LAID_OUT,
  OTHERS,
  OTHERS_LAID_OUT,
]);

function merge(
  lists: readonly Readonly<Record<string, readonly string[]>>[],
): readonly (readonly [string, readonly string[]])[] {
  const families = new Map<string, readonly string[]>();
  for (const [family, forms] of lists.flatMap(Object.entries<readonly string[]>)) {
    families.set(family, [...(families.get(family) ?? []), ...forms]);
  }
  return [...families];
}

/** Values as people and programs make them, others for each form. */
export const VALUES: Readonly<Record<string, (seed: string) => string>> = {
  'letters and digits': (seed) =>
    [LOWER, UPPER, DIGITS, LOWER, UPPER, DIGITS, LOWER]
      .map((alphabet, index) => chars(`${seed}${index}`, 2, alphabet))
      .join(''),
  hexadecimal: (seed) => chars(seed, 32, HEX),
  'of a person': (seed) => `${['Sommer', 'Winter', 'Banana'][seed.length % 3] ?? ''}77!`,
  base64: (seed) => base64(`${chars(seed, 20)}~?`),
  uuid,
};
