import { lineRules } from '../../../rules/line-rules.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { blockShape } from './block-shape.ts';
import { compactionKeptMissing } from './compaction-kept-missing.ts';
import { editTargetMissing } from './edit-target-missing.ts';
import { entryCycle } from '../../../rules/entry-cycle.ts';
import { entryDuplicateId } from '../../../rules/entry-duplicate-id.ts';
import { entryOrphan } from '../../../rules/entry-orphan.ts';
import { entryParentLater } from './entry-parent-later.ts';
import { entryParentMissing } from './entry-parent-missing.ts';
import { entryShape } from './entry-shape.ts';
import { entryTimeBackwards } from '../../../rules/entry-time-backwards.ts';
import { entryTimeNumber } from './entry-time-number.ts';
import { entryTimeUnreadable } from './entry-time-unreadable.ts';
import { entryTypeUnknown } from './entry-type-unknown.ts';
import { headerDuplicate } from './header-duplicate.ts';
import { headerInvalid } from './header-invalid.ts';
import { headerMisplaced } from './header-misplaced.ts';
import { headerMissing } from './header-missing.ts';
import { labelTargetMissing } from './label-target-missing.ts';
import { messageContentMissing } from './message-content-missing.ts';
import { messageShape } from './message-shape.ts';
import { parentMissing } from './parent-missing.ts';
import { placeDirectory } from './place-directory.ts';
import { placeFileName } from './place-file-name.ts';
import { roleUnknown } from './role-unknown.ts';
import { summaryFromMissing } from './summary-from-missing.ts';
import { toolCallOpen } from './tool-call-open.ts';
import { toolResultOrphan } from './tool-result-orphan.ts';
import { treeSeveralRoots } from './tree-several-roots.ts';
import { versionContradicted } from './version-contradicted.ts';
import { versionOutdated } from './version-outdated.ts';
import { versionUnknown } from './version-unknown.ts';

/** Every rule for pi's sessions, in the order of `--list-rules`. */
export const rules: readonly Rule[] = [
  ...lineRules,
  headerMissing,
  headerMisplaced,
  headerDuplicate,
  headerInvalid,
  versionOutdated,
  versionUnknown,
  versionContradicted,
  entryShape,
  entryParentMissing,
  entryTypeUnknown,
  entryTimeNumber,
  entryTimeUnreadable,
  messageShape,
  messageContentMissing,
  blockShape,
  roleUnknown,
  entryDuplicateId,
  entryOrphan,
  entryCycle,
  entryParentLater,
  entryTimeBackwards,
  treeSeveralRoots,
  compactionKeptMissing,
  labelTargetMissing,
  editTargetMissing,
  summaryFromMissing,
  toolResultOrphan,
  toolCallOpen,
  placeFileName,
  placeDirectory,
  parentMissing,
];
