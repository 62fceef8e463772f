import { entryTimeBackwards } from '../../../rules/entry-time-backwards.ts';
import { fileBom } from '../../../rules/file-bom.ts';
import { lineGlued } from '../../../rules/line-glued.ts';
import { lineInvalidUtf8 } from '../../../rules/line-invalid-utf8.ts';
import { lineMalformed } from '../../../rules/line-malformed.ts';
import { lineNotObject } from '../../../rules/line-not-object.ts';
import { lineNul } from '../../../rules/line-nul.ts';
import { lineOversized } from '../../../rules/line-oversized.ts';
import { lineTorn } from '../../../rules/line-torn.ts';
import { lineUnterminated } from '../../../rules/line-unterminated.ts';
import type { Rule } from '../../../dialect/rule.ts';
import {
  rolloutHeader,
  rolloutHeaderRepeated,
  rolloutOld,
  rolloutTypeUnknown,
} from './header-rules.ts';
import { ordinalGap, ordinalMissing, ordinalOrder } from './ordinal-rules.ts';
import {
  rolloutCallOpen,
  rolloutOutputStray,
  rolloutPromptMissing,
  rolloutTurnOpen,
} from './turn-rules.ts';
import { baseUnusable } from './base-unusable.ts';
import { projectionAhead } from './projection-ahead.ts';
import { rolloutName, rolloutNameId } from './name-rules.ts';

/** Every rule for rollouts of Codex, in the order of `--list-rules`. */
export const rules: readonly Rule[] = [
  fileBom,
  lineMalformed,
  lineTorn,
  lineGlued,
  lineNul,
  lineNotObject,
  lineInvalidUtf8,
  lineOversized,
  lineUnterminated,
  entryTimeBackwards,
  rolloutHeader,
  rolloutHeaderRepeated,
  ordinalMissing,
  ordinalOrder,
  ordinalGap,
  rolloutTypeUnknown,
  rolloutCallOpen,
  rolloutOutputStray,
  rolloutTurnOpen,
  rolloutPromptMissing,
  rolloutOld,
  rolloutName,
  rolloutNameId,
  baseUnusable,
  projectionAhead,
];
