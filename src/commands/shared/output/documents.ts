import type { Redaction } from '../../../export/redact/redaction.ts';
import type { ExportSummary } from '../../../report/export/footer.ts';
import type { RuleResult } from '../../../report/findings/rules.ts';
import type { ForkResult } from '../../../report/fork/fork-result.ts';
import type { JsonDocument } from '../../../report/text/json.ts';
import type { SessionInfo } from '../../../report/list/session-info.ts';
import type { SessionResult } from '../../../report/list/session-result.ts';
import type { TotalResult } from '../../../report/list/totals.ts';
import type { CheckedResult, CheckSummary } from '../../../report/prune/check-columns.ts';
import type { ArchivedResult, ArchiveSummary } from '../../../report/prune/archive-columns.ts';
import type { PruneResult } from '../../../report/prune/columns.ts';
import type { ActionResult, ActionSummary } from '../../../session/model/action.ts';
import type { CompactionOutcome } from '../../../session/compact/compact-session.ts';
import type { InPlaceOutcome } from '../../../session/fork/in-place.ts';
import type { ListedEntry } from '../../../session/read/read-entries.ts';
import type { MigrationResult } from '../../../session/migrate/types.ts';
import type { ForkPoint } from '../../../session/fork/points.ts';
import type { ReductionOutcome } from '../../../session/reduce/reduce-session.ts';
import type { FileProblem, Problem } from '../../../session/model/summary.ts';

// The JSON of every command and variant. The schemas in schemas/output are made of these types and
// of their comments: `npm run schemas`.

/** `coppice list`, also with `--usage` and `--lineage`. */
export interface ListDocument extends JsonDocument<
  'list',
  SessionResult | FileProblem,
  {
    readonly sessions: number;
    /** The number before the selection. */
    readonly total: number;
    /** The size of the sessions shown. */
    readonly bytes: number;
    /** Old files that are left out, of which `migrate` has made sessions; it has yet to rename them. */
    readonly superseded: number;
    /** Files that could not be used. */
    readonly problems: number;
  }
> {}

/** `coppice list --by`. */
export interface TotalsDocument extends JsonDocument<
  'list',
  TotalResult | FileProblem,
  {
    readonly sessions: number;
    /** The number before the selection. */
    readonly total: number;
    /** Files that could not be used. */
    readonly problems: number;
  }
> {}

/** `coppice list --entries`. */
export interface EntriesDocument extends JsonDocument<
  'list',
  Omit<ListedEntry, 'branchDepth'> | FileProblem,
  {
    readonly path: string;
    /** The entries of the session, whatever the value of `--limit`. */
    readonly entries: number;
    /** How many of them `--filter` shows. */
    readonly visible: number;
  }
> {}

/** `coppice list --info`. */
export interface InfoDocument extends JsonDocument<
  'list',
  SessionInfo | FileProblem,
  { readonly sessions: number }
> {}

/** The value of one option, and its source. */
export interface ConfigResult {
  readonly option: string;
  readonly value: unknown;
  /** `default`, `command line` or the path of a file; both, where the command line adds to a list of a file. */
  readonly from: string;
}

/** `--print-config` of every command. */
export interface ConfigDocument extends JsonDocument<
  string,
  ConfigResult,
  { readonly options: number }
> {}

/** `coppice validate --list-rules`. */
export interface RulesDocument extends JsonDocument<
  'validate',
  RuleResult,
  { readonly rules: number }
> {}

/** The JSON of commands that change or remove files. */
export interface ActionDocument<C extends string, R extends ActionResult> extends JsonDocument<
  C,
  R | FileProblem,
  ActionSummary
> {}

/** `coppice migrate`. */
export interface MigrateDocument extends ActionDocument<'migrate', MigrationResult> {}

/** `coppice fork`. */
export interface ForkDocument extends ActionDocument<'fork', ForkResult> {}

/** `coppice fork --in-place`. */
export interface InPlaceDocument extends ActionDocument<'fork', InPlaceOutcome> {}

/** `coppice fork --points`. */
export interface PointsDocument extends JsonDocument<
  'fork',
  (ForkPoint & { readonly source: string }) | FileProblem,
  { readonly sessions: number; readonly points: number }
> {}

/** `coppice compact`. */
export interface CompactDocument extends ActionDocument<'compact', CompactionOutcome> {}

/** `coppice compact` with `--images`, `--tool-output` or another reducer. */
export interface ReduceDocument extends ActionDocument<'compact', ReductionOutcome> {}

/** `coppice prune`, also with `--restore`. */
export interface PruneDocument extends ActionDocument<'prune', PruneResult> {}

/** `coppice prune --check`. */
export interface CheckDocument extends JsonDocument<'prune', CheckedResult, CheckSummary> {}

/** `coppice prune --list` and `--rebuild-index`. */
export interface ArchiveDocument extends JsonDocument<
  'prune',
  ArchivedResult | FileProblem,
  ArchiveSummary
> {}

/** `coppice export`; without `outputs` and `redactions` for `--as parquet`. */
export interface ExportDocument extends JsonDocument<
  'export',
  ExportResult | DatasetResult | FileProblem,
  ExportSummary
> {}

/** The outcome for one session of a data set. */
export interface DatasetResult extends ActionResult {
  /** Parts of the session that could not be read, and are missing from the export. */
  readonly problems: readonly Problem[];
}

/** The outcome for one session. */
export interface ExportResult extends DatasetResult {
  /** Absolute paths of what was or would be written. */
  readonly outputs: readonly string[];
  /** The kinds of secrets that were taken out, and their places; never the secrets. */
  readonly redactions: readonly Redaction[];
}

export type { FindingsDocument } from '../../../report/findings/formats/json.ts';
export type { PlanLine } from '../../../store/prune/plan-file.ts';
