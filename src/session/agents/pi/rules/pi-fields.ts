import { isArray } from '../../../jsonl/edit/json.ts';
import {
  array,
  type FieldCheck,
  isText,
  must,
  nested,
  number,
  optional,
  text,
  toFields,
} from '../../../rules/field-checks.ts';

export const id: FieldCheck = (value) => text(value) ?? (value === '' ? 'is empty' : undefined);

/** A string or blocks, which must be there. */
export const givenContent = must(
  (value) => isText(value) || isArray(value),
  'a string or an array of blocks',
);

/** A string or blocks; null and absent are another rule's. */
export const content = optional(givenContent);

/** Blocks only; null and absent are another rule's. */
export const blocks = optional(array);

/** Counts of tokens and their cost. The releases of v1 wrote no `totalTokens`. */
export const usage = nested(
  toFields({
    input: number,
    output: number,
    cacheRead: number,
    cacheWrite: number,
    cost: nested(toFields({ total: number })),
  }),
);
