import { entryCycle } from '../../../rules/entry-cycle.ts';
import { entryDuplicateId } from '../../../rules/entry-duplicate-id.ts';
import { entryOrphan } from '../../../rules/entry-orphan.ts';
import { entryTimeBackwards } from '../../../rules/entry-time-backwards.ts';
import { fileBom } from '../../../rules/file-bom.ts';
import { lineGlued } from '../../../rules/line-glued.ts';
import { lineInvalidUtf8 } from '../../../rules/line-invalid-utf8.ts';
import { lineNotObject } from '../../../rules/line-not-object.ts';
import { lineNul } from '../../../rules/line-nul.ts';
import { lineOversized } from '../../../rules/line-oversized.ts';
import { lineTorn } from '../../../rules/line-torn.ts';
import { lineUnterminated } from '../../../rules/line-unterminated.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { compactionUnused } from './compaction-unused.ts';
import { configMisplaced, configSeveral } from './config-place.ts';
import { configMissing, messagesMissing } from './file-contents.ts';
import { imageData } from './image-data.ts';
import { lineBlank } from './line-blank.ts';
import { lineUnreadable } from './line-unreadable.ts';
import { messageFields } from './message-fields.ts';
import { parentUnnamed } from './parent-unnamed.ts';
import { partFields } from './part-fields.ts';
import { pathStart } from './path-start.ts';
import { placeSessionId } from './place-session-id.ts';
import { rootStray } from './root-stray.ts';
import { toolResultBeside, toolResultStray, toolUseOpen } from './tool-rules.ts';
import { typeUnknown } from './type-unknown.ts';

/** Every rule for Neovate's sessions, in the order of `--list-rules`. */
export const rules: readonly Rule[] = [
  fileBom,
  lineUnreadable,
  lineTorn,
  lineGlued,
  lineNul,
  lineBlank,
  lineNotObject,
  lineInvalidUtf8,
  lineOversized,
  lineUnterminated,
  messagesMissing,
  configMissing,
  configMisplaced,
  configSeveral,
  typeUnknown,
  messageFields,
  partFields,
  imageData,
  entryDuplicateId,
  parentUnnamed,
  entryOrphan,
  entryCycle,
  entryTimeBackwards,
  rootStray,
  pathStart,
  compactionUnused,
  toolUseOpen,
  toolResultBeside,
  toolResultStray,
  placeSessionId,
];
