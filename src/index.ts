/** The library: the same model, readers and checks that the commands use. */
export { readSession, type ReadSession } from './session/read-session.ts';
export { readContext } from './session/read-context.ts';
export type { SessionContext } from './session/dialect.ts';
export type { Agent, Session } from './session/session.ts';
export type { Entry, Header, ModelRef } from './session/entry.ts';
export { buildTree, getPath, walkTree, type Tree, type TreeStep } from './session/tree.ts';
export { type Label, resolveLabels } from './session/labels.ts';
export { summarizeSession } from './session/summarize-session.ts';
export type { SessionSummary } from './session/summary.ts';
export { planCompaction, type CompactionPlan } from './session/plan-compaction.ts';
export type { CompactionSettings, Preparation } from './session/compaction.ts';
export {
  type BeforeCompaction,
  type CompactionOutcome,
  type CompactionVerdict,
  type CompactOptions,
  compactSession,
} from './session/compact-session.ts';
export {
  type SpokenMessage,
  type Summarizer,
  type Summary,
  SummaryError,
  type SummaryRequest,
} from './session/summarizer.ts';
export { formatConversation } from './session/format-conversation.ts';
export { extractive } from './summarize/extractive/extractive.ts';
export { createOpenAi, type OpenAiOptions } from './summarize/openai/openai.ts';
export { createCommand, type CommandOptions } from './summarize/command.ts';
export { reduceSession, type ReduceOptions } from './session/reduce/reduce-session.ts';
export { openImageFiles } from './store/image-files.ts';
export { serializeConversation } from './session/pi/compaction/serialize.ts';
export { validateSession, type Validation } from './session/validate-session.ts';
export {
  type LastUse,
  type MigrateOptions,
  type MigrationResult,
  migrateSession,
  type Relocation,
} from './session/migrate-session.ts';
export type {
  HeaderChanges,
  LineProblem,
  MigrationFacts,
  MigrationPlan,
  OldEntries,
} from './session/migration.ts';
export { planMigration } from './session/pi/migrate/plan-migration.ts';
export { CoppiceError, FileError } from './errors.ts';
export { SessionManager, type WorldOption } from './session/pi/session-manager/session-manager.ts';
export type { NewSessionOptions } from './session/pi/session-manager/session-log.ts';
export type { SessionWorld } from './session/pi/session-manager/world.ts';
export type {
  SessionInfo,
  SessionListProgress,
} from './session/pi/session-manager/list-sessions.ts';
export type * from './session/pi/session-manager/entries.ts';
export type * from './session/pi/session-manager/messages.ts';
export { leaveBranch, type LeftBranch } from './session/pi/session-manager/leave-branch.ts';
export type {
  BeforeBranchSummary,
  BranchVerdict,
  SummarizeBranchOptions,
} from './session/pi/branch-summary/summarize-branch.ts';
export type { Candidate } from './session/policy/candidate.ts';
export { planPrune } from './session/policy/plan-prune.ts';
export type { Decision, KeepRules, Policy } from './session/policy/policy.ts';
export type * from './commands/documents.ts';
