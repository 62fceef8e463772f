import type { Rule } from '../dialect/rule.ts';
import { fileBom } from './file-bom.ts';
import { lineGlued } from './line-glued.ts';
import { lineInvalidUtf8 } from './line-invalid-utf8.ts';
import { lineMalformed } from './line-malformed.ts';
import { lineNotObject } from './line-not-object.ts';
import { lineNul } from './line-nul.ts';
import { lineOversized } from './line-oversized.ts';
import { lineTorn } from './line-torn.ts';
import { lineUnterminated } from './line-unterminated.ts';

/** The rules about bytes and lines, which know no agent, in the order of `--list-rules`. */
export const lineRules: readonly Rule[] = [
  fileBom,
  lineMalformed,
  lineTorn,
  lineGlued,
  lineNul,
  lineNotObject,
  lineInvalidUtf8,
  lineOversized,
  lineUnterminated,
];
