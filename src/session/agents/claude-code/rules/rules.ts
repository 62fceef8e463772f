import { lineRules } from '../../../rules/line-rules.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { staleNote, sidecarOrphaned } from '../../../rules/sidecar-rules.ts';
import { emptyFile } from '../../../rules/file-empty.ts';
import { fileBom } from '../../../rules/file-bom.ts';
import { lineUnterminated } from '../../../rules/line-unterminated.ts';
import { blockFields } from './block-fields.ts';
import { boundaryUnsummarized, branchesUnloaded, preservedMissing } from './compaction-rules.ts';
import {
  attachmentUnknown,
  blockUnknown,
  imageRefused,
  messageUnreadable,
  recordTypeUnknown,
  textNul,
  uuidRepeated,
} from './content-rules.ts';
import { copiedOnResume, lineCrlf, modelsSeveral, sourceHeadless } from './info-rules.ts';
import {
  conversationMissing,
  leafDiffers,
  leafHides,
  leafSidechain,
  titleOnly,
} from './leaf-rules.ts';
import { nodeBridged, nodeCycle, nodeOrphan } from './link-rules.ts';
import { nodeUnnamed } from './node-unnamed.ts';
import {
  placeOtherProject,
  placeOtherSession,
  sessionIdsMixed,
  toolResultsMissing,
} from './place-rules.ts';
import { recordSpread } from './record-spread.ts';
import { contextDiffers } from './release-rules.ts';
import { callInterrupted, callUnanswered, resultRepeated, resultUncalled } from './tool-rules.ts';
import { worktreeUnverified } from './worktree-rules.ts';
import type { FindingLevel } from '../../../dialect/levels.ts';

/** Every rule for sessions of Claude Code, in the order of `--list-rules`. */
export const rules: readonly Rule[] = [
  ...lineRules,
  lineCrlf,
  recordSpread,
  conversationMissing,
  titleOnly,
  leafSidechain,
  leafHides,
  leafDiffers,
  contextDiffers,
  nodeOrphan,
  nodeBridged,
  nodeCycle,
  nodeUnnamed,
  uuidRepeated,
  preservedMissing,
  boundaryUnsummarized,
  branchesUnloaded,
  messageUnreadable,
  blockFields,
  recordTypeUnknown,
  attachmentUnknown,
  blockUnknown,
  callUnanswered,
  callInterrupted,
  resultUncalled,
  resultRepeated,
  imageRefused,
  textNul,
  modelsSeveral,
  worktreeUnverified,
  toolResultsMissing,
  placeOtherSession,
  sessionIdsMixed,
  placeOtherProject,
  sourceHeadless,
  copiedOnResume,
  sidecarOrphaned,
  staleNote,
];

/**
 * It reads past a byte order mark, and begins a new line before it appends. Old releases left an empty file
 * beside a session.
 */
export const levels: ReadonlyMap<string, FindingLevel> = new Map([
  [emptyFile.id, 'info'],
  [fileBom.id, 'info'],
  [lineUnterminated.id, 'info'],
]);
