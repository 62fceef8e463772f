import type { Entry } from '../session/entry.ts';
import { findLeaves } from '../session/find-leaves.ts';
import { readCurrentLines } from '../session/current-lines.ts';
import { getString, isArray, type JsonObject } from '../session/json.ts';
import { resolveLabels } from '../session/labels.ts';
import type { SessionSource } from '../session/read-source.ts';
import { type Scope, selectEntries } from '../session/select-entries.ts';
import type { SessionSummary } from '../session/summary.ts';
import { tellTurns } from '../session/tell-turns.ts';
import { buildTree, getPath } from '../session/tree.ts';
import { filterTurns, type TurnFilter } from './filter-turns.ts';
import type { ExportDocument } from './format.ts';
import type { Redactor } from './redact/redactor.ts';
import type { UsageFacts } from './usage-facts.ts';

export interface DocumentOptions {
  readonly scope: Scope;
  readonly filter: TurnFilter;
  readonly redactor: Redactor | undefined;
  readonly generator: string;
  readonly usages?: UsageFacts | undefined;
  readonly hasIndex?: boolean;
  readonly signal: AbortSignal;
}

/**
 * One session as exporters are given it. Nothing is read before it is asked for.
 * @throws FileError when the branch is not there, or more than one fits.
 */
export async function openDocument(
  source: SessionSource,
  options: DocumentOptions,
): Promise<ExportDocument> {
  const { session, dialect } = source;
  const { scope, filter, redactor, generator, hasIndex = false, signal } = options;
  const tree = buildTree(session.entries, session);
  const { entries, leaf, edits } = selectEntries(session, dialect, tree, scope);
  let line = 0;
  const transform = async (value: JsonObject, of: number): Promise<JsonObject> => {
    line = of;
    return redactor ? redactor.redact(value, of) : value;
  };
  const summary = await redactSummary(source.summary, redactor);
  const usages = options.usages && (await redactUsages(options.usages, redactor));
  const labels = await readLabels(session.entries, redactor);
  const telling = { path: session.path, dialect, entries, edits, labels, transform, signal };
  const placed = (): readonly Entry[] =>
    scope.allBranches ? session.entries : dialect.placePath(session, getPath(tree, leaf));
  return {
    session,
    summary,
    tree,
    entries,
    leaf,
    isTree: scope.allBranches,
    generator,
    line: () => line,
    usages,
    hasIndex,
    turns: () => filterTurns(tellTurns(telling), filter),
    lines: () => readCurrentLines({ session, dialect, entries: placed(), transform, signal }),
  };
}

/** A scope for each branch, named by its last entry; those without an id cannot be named. */
export function splitBranches(
  { session }: Pick<SessionSource, 'session'>,
  scope: Scope,
): readonly Scope[] {
  const leaves = findLeaves(buildTree(session.entries, session));
  const ids = leaves.flatMap(({ id }) => id ?? []);
  return ids.map((branch) => ({ ...scope, branch, allBranches: false }));
}

/** What a listing says of a session, without secrets. */
export async function redactSummary(
  summary: SessionSummary,
  redactor: Redactor | undefined,
): Promise<SessionSummary> {
  if (!redactor) return summary;
  const { name, firstMessage, cwd, path, parentSessionPath } = summary;
  const facts = { name, firstMessage, cwd, path, parentSessionPath };
  const safe = await redactor.redact(facts, 0);
  const text = (key: keyof typeof facts): string => getString(safe, key) ?? '';
  return {
    ...summary,
    name: name === null ? null : text('name'),
    firstMessage: text('firstMessage'),
    cwd: text('cwd'),
    path: text('path'),
    parentSessionPath: parentSessionPath === null ? null : text('parentSessionPath'),
  };
}

async function redactUsages(
  { models, days }: UsageFacts,
  redactor: Redactor | undefined,
): Promise<UsageFacts> {
  if (!redactor) return { models, days };
  const names = models.map(({ model }) => model);
  const { models: safe } = await redactor.redact({ models: names }, 0);
  const safeNames = isArray(safe) ? safe.map((name) => (typeof name === 'string' ? name : '')) : [];
  return {
    models: models.map((one, index) => ({ ...one, model: safeNames[index] ?? '' })),
    days,
  };
}

async function readLabels(
  entries: readonly Entry[],
  redactor: Redactor | undefined,
): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  for (const [target, { text, entry }] of resolveLabels(entries)) {
    const safe = redactor ? await redactor.redact({ label: text }, entry.line) : { label: text };
    labels.set(target, getString(safe, 'label') ?? '');
  }
  return labels;
}
