import type { Redaction } from '../export/redact/redaction.ts';
import type { ActionResult } from '../session/action.ts';

/** What became of one session. */
export interface ExportResult extends ActionResult {
  /** Absolute paths of what was or would be written. */
  readonly outputs: readonly string[];
  /** What was taken out, and where; never what it was. */
  readonly redactions: readonly Redaction[];
}
