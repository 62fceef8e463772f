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
export { validateSession, type Validation } from './session/validate-session.ts';
export { CoppiceError, FileError } from './errors.ts';
