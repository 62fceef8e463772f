import type { Rule } from '../../rules/rule.ts';

/** Every rule for pi's sessions, in the order of `--list-rules`. */
export const rules: readonly Rule[] = [];
