import type { Redaction } from '../../export/redact/redaction.ts';
import type { ActionResult } from '../../session/model/action.ts';
import type { Problem } from '../../session/model/summary.ts';

/** What became of one session of a data set. */
export interface DatasetResult extends ActionResult {
  /** What of the session could not be read, and is missing from the export. */
  readonly problems: readonly Problem[];
}

/** What became of one session. */
export interface ExportResult extends DatasetResult {
  /** Absolute paths of what was or would be written. */
  readonly outputs: readonly string[];
  /** What was taken out, and where; never what it was. */
  readonly redactions: readonly Redaction[];
}
