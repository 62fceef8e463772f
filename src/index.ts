/** The library: the same model, readers and checks that the commands use. */
export {
  migrateSession,
  openImageFiles,
  readContext,
  type ReadOptions,
  readSession,
  reduceSession,
  summarizeSession,
  validateSession,
} from './library/functions/one-session.ts';
export type { ReadSession } from './session/read/read-session.ts';
export {
  type ExportOptions,
  exportSession,
  type SessionExport,
} from './library/functions/export-session.ts';
export type { SessionContext } from './session/dialect/dialect.ts';
export type { Agent } from './session/model/agent.ts';
export type { Session } from './session/model/session.ts';
export type { Entry, Header, ModelRef } from './session/model/entry.ts';
export { buildTree, getPath, resolveLabels, walkTree } from './library/functions/session-tree.ts';
export type { Tree, TreeStep } from './session/model/tree/tree.ts';
export type { Label } from './session/model/tree/labels.ts';
export type { SessionSummary } from './session/model/summary.ts';
export { compactSession, planCompaction } from './library/functions/compact.ts';
export type { CompactionPlan } from './session/compact/plan.ts';
export type { CompactionSettings, Preparation } from './session/dialect/compaction.ts';
export type { CompactionOutcome, CompactOptions } from './session/compact/compact-session.ts';
export {
  type SpokenMessage,
  type Summarizer,
  type Summary,
  SummaryError,
  type SummaryRequest,
} from './session/model/text/summarizer.ts';
export { extractive } from './summarize/extractive/extractive.ts';
export { createCommand, createOpenAi } from './library/summarizers.ts';
export type { OpenAiOptions } from './summarize/openai/openai.ts';
export type { CommandOptions } from './summarize/command.ts';
export type { ReduceOptions } from './session/reduce/reduce-session.ts';
export {
  convertToLlm,
  type CutPointResult,
  findCutPoint,
  formatConversation,
  serializeConversation,
} from './library/manager/conversation.ts';
export { forkSession } from './library/functions/fork-session.ts';
export type { Fork, ForkOptions } from './session/fork/fork-session.ts';
export type { ForkRequest, ForkStart, ForkWorld } from './session/dialect/forking.ts';
export type { Validation } from './session/validate/validate-session.ts';
export type { HeaderChanges, LineProblem } from './session/dialect/migration.ts';
export { CoppiceError, FileError } from './errors.ts';
export type { Errno, ErrorCode, OwnCode } from './errors.ts';
export { SessionManager, type WorldOption } from './library/manager/session-manager.ts';
export {
  type NeovateOptions,
  NeovateSession,
  type NeovateWorld,
} from './library/neovate/neovate-session.ts';
export type * from './library/neovate/neovate-messages.ts';
export type { NewSessionOptions } from './library/manager/session-log.ts';
export type { SessionWorld } from './library/world.ts';
export type { SessionInfo, SessionListProgress } from './library/functions/list-sessions.ts';
export type * from './library/manager/entries.ts';
export type * from './library/manager/messages.ts';
export {
  leaveBranch,
  type LeaveBranchOptions,
  type LeftBranch,
} from './library/functions/leave-branch.ts';
export type { SummarizeBranchOptions } from './session/agents/pi/fork/summarize-branch.ts';
export { HookError } from './session/dialect/hooks/answer.ts';
export type { Hooks } from './session/dialect/hooks/hooks.ts';
export type {
  AfterCompaction,
  BeforeCompaction,
  CompactionAnswer,
  HookCompaction,
} from './session/dialect/hooks/compaction-hooks.ts';
export type {
  BeforeBranchSummary,
  BranchAnswer,
  TreePreparation,
} from './session/dialect/hooks/tree-hooks.ts';
export type { Candidate } from './session/prune/candidate.ts';
export type { Decision } from './session/prune/policy.ts';
export {
  applyPrune,
  planPrune,
  type PruneDestination,
  type PruneOptions,
  type RemovalOptions,
  type PruneOutcome,
  type PrunePlan,
} from './library/functions/prune.ts';
export type { Count, PruneRules } from './store/prune/parse-rules.ts';
export type * from './commands/shared/output/documents.ts';
export type { MigrateOptions, MigrationResult, Relocation } from './session/migrate/types.ts';
export type { LastUse } from './session/model/in-use.ts';
