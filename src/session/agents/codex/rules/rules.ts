import { lineInvalidUtf8 } from '../../../rules/line-invalid-utf8.ts';
import { lineRules } from '../../../rules/line-rules.ts';
import { entryTimeBackwards } from '../../../rules/entry-time-backwards.ts';
import type { Rule } from '../../../dialect/rule.ts';
import {
  rolloutHeader,
  rolloutHeaderForeign,
  rolloutHeaderRepeated,
  rolloutOld,
  rolloutSourceUnknown,
  rolloutTypeUnknown,
} from './header-rules.ts';
import { ordinalGap, ordinalMissing, ordinalOrder, ordinalUnexpected } from './ordinal-rules.ts';
import {
  rolloutCallOpen,
  rolloutItemsMissing,
  rolloutOutputStray,
  rolloutPromptMissing,
  rolloutTurnOpen,
} from './turn-rules.ts';
import { rolloutCwdMissing } from './cwd-missing.ts';
import { rolloutInvalidUtf8 } from './invalid-utf8.ts';
import { rolloutLineFields } from './line-fields-rule.ts';
import { baseUnusable } from './base-unusable.ts';
import { projectionAhead } from './projection-ahead.ts';
import { rowArchived, rowStale, spawnerMissing, spawnRow } from './row-rules.ts';
import { rolloutName, rolloutNameId } from './name-rules.ts';
import { rolloutTwice } from './twin-rule.ts';

/** Every rule for rollouts of Codex, in the order of `--list-rules`. */
export const rules: readonly Rule[] = [
  ...lineRules.filter((rule) => rule !== lineInvalidUtf8),
  rolloutInvalidUtf8,
  entryTimeBackwards,
  rolloutHeader,
  rolloutHeaderRepeated,
  rolloutHeaderForeign,
  rolloutSourceUnknown,
  rolloutLineFields,
  ordinalMissing,
  ordinalUnexpected,
  ordinalOrder,
  ordinalGap,
  rolloutTypeUnknown,
  rolloutCallOpen,
  rolloutOutputStray,
  rolloutTurnOpen,
  rolloutPromptMissing,
  rolloutItemsMissing,
  rolloutOld,
  rolloutName,
  rolloutNameId,
  rolloutTwice,
  rolloutCwdMissing,
  baseUnusable,
  projectionAhead,
  rowArchived,
  rowStale,
  spawnRow,
  spawnerMissing,
];
