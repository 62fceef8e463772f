import type { Problem } from '../../session/model/summary.ts';
import type { Finding, Rule } from '../../session/dialect/rule.ts';
import type { Style } from '../text/style.ts';

/** The findings in one file. */
export interface CheckedFile {
  /** Absolute. */
  readonly path: string;
  readonly findings: readonly Finding[];
  /** The findings that a repair has removed, or would remove. */
  readonly repaired?: readonly Finding[];
  /** The file could not be read, or not be repaired. */
  readonly problem?: Problem | undefined;
  /** The findings are those in the file, also where it has a problem. */
  readonly isChecked?: true;
  /** It is not a session, and is beside those that were checked. */
  readonly isBeside?: true;
}

export interface FindingsReport {
  /** The files in the order to be shown; those without findings are there too. */
  readonly files: readonly CheckedFile[];
  /** Every rule that may have fired. */
  readonly rules: readonly Rule[];
  /** Absolute; paths below it are shown relative to it where a format wants that. */
  readonly cwd: string;
  /** The home directory, shown as `~` to people. */
  readonly home: string;
  readonly version: string;
  /** Milliseconds since the epoch, and how long the run took. */
  readonly startedAt: number;
  readonly elapsedMs: number;
  /** Findings that have been repaired (`--fix`), or would be (`--fix-dry-run`). */
  readonly fixed: { readonly count: number; readonly dryRun: boolean } | undefined;
  /** The only ones that JSON holds of each finding. */
  readonly fields?: readonly string[] | undefined;
  readonly quiet: boolean;
  readonly style: Style;
}

/** Renders findings. Chunks, so that a report of a million findings is not a single string. */
export type FindingsFormatter = (report: FindingsReport) => Iterable<string>;
