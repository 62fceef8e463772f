import type { Entry } from '../session/model/entry.ts';
import { readCurrentLines } from '../session/read/upgraded-lines.ts';
import { getString, isArray } from '../session/jsonl/edit/json.ts';
import { resolveLabels } from '../session/model/tree/labels.ts';
import { type Scope, type SelectedEntries, selectEntries } from '../session/read/select-entries.ts';
import type { Session } from '../session/model/session.ts';
import { type SessionSummary, type Subagent, toSubagentResult } from '../session/model/summary.ts';
import { readSent } from '../session/read/read-context.ts';
import type { Turn } from '../session/model/text/conversation.ts';
import { type OnFile, readSpawnedTurns } from '../session/read/turns/spawned-turns.ts';
import { readSubagentTurns } from '../session/read/turns/subagent-turns.ts';
import { type PayloadTransform, type TurnSource, readTurns } from '../session/read/turns/turns.ts';
import { treeOf, getPath, type Tree, findLeaves } from '../session/model/tree/tree.ts';
import { filterTurns, type TurnFilter } from './turns/filter-turns.ts';
import { findGaps } from './turns/find-gaps.ts';
import type { ExportDocument, ExportFormat } from './formats/format.ts';
import { hideIds, learnSecrets } from './redact/secrets/learn-secrets.ts';
import type { Redactor } from './redact/redactor.ts';
import type { UsageFacts } from './turns/usage-facts.ts';
import type { SessionSource } from '../session/read/read-session.ts';

export interface DocumentOptions {
  readonly scope: Scope;
  readonly filter: TurnFilter;
  readonly redactor: Redactor | undefined;
  readonly generator: string;
  readonly usages?: UsageFacts | undefined;
  readonly hasIndex?: boolean;
  /** Includes the work of sub-agents. */
  readonly showsSubagents?: boolean | undefined;
  /** Is called with the path of each other session's file that is shown, before anything of it is. */
  readonly onFile?: OnFile | undefined;
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
  const { dialect } = source;
  const { scope, filter, redactor, generator, hasIndex = false, signal } = options;
  const selection = select(source, scope);
  if (redactor) await learnSecrets(source, redactor, { signal, onFile: options.onFile });
  const { session, tree, entries, leaf, edits, shows } = redactor
    ? hideSelection(selection, redactor)
    : selection;
  const path = getPath(tree, leaf);
  const { transform, getLine } = createTransform(redactor);
  const summary = await redactSummary(source.summary, redactor);
  const usages = options.usages && (await redactUsages(options.usages, redactor));
  const labels = await readLabels(session.entries, redactor);
  const places = { path: session.path, dialect, entries, edits, shows, labels };
  const turnSource = { ...places, transform, signal, joins: getJoins(scope) };
  const placed = (): readonly Entry[] =>
    scope.allBranches ? session.entries : dialect.copying.placePath(session, path);
  return {
    session,
    summary,
    tree,
    entries,
    leaf,
    isTree: scope.allBranches,
    usage: hasSessionUsage(source, scope) ? summary.usage : undefined,
    generator,
    gaps: findGaps({ ...source, session }, tree, { entries, path, isTree: scope.allBranches }),
    line: getLine,
    usages,
    hasIndex,
    turns: () => filterTurns(readAllTurns(turnSource, source.summary, options, transform), filter),
    wrapSummary: (kind, text) => dialect.context.wrapSummary?.(kind, text) ?? text,
    sent: () => readSent({ session, dialect, path, transform }),
    lines: () => readCurrentLines({ session, dialect, entries: placed(), transform, signal }),
  };
}

/** Returns whether the usage of the session is the only one there is, and not that of other branches. */
function hasSessionUsage({ dialect }: SessionSource, { branch, allBranches }: Scope): boolean {
  return dialect.entries.splitsAnswers === true && branch === undefined && !allBranches;
}

/** Returns what is one turn: for a person, each thing that the model did has its own. */
function getJoins({ forModels = false }: Scope): TurnSource['joins'] {
  return forModels ? 'pieces' : 'lines';
}

/** Takes secrets out of what is read, and records where it is read. */
function createTransform(redactor: Redactor | undefined): {
  readonly transform: PayloadTransform;
  readonly getLine: () => number;
} {
  let last = 0;
  return {
    transform: async (value, line) => {
      last = line;
      // Always another object: the bytes of a line may say a name twice, of which only one was read.
      return redactor ? { ...(await redactor.redact(value, line)) } : value;
    },
    getLine: () => last,
  };
}

/** Reads the turns, with sub-agents where they are asked for and tools are shown. */
function readAllTurns(
  turnSource: TurnSource,
  { subagents = [] }: SessionSummary,
  { showsSubagents, filter, redactor, signal, onFile }: DocumentOptions,
  transform: PayloadTransform,
): AsyncIterable<Turn> {
  const { spawned } = turnSource.dialect.places;
  if (!showsSubagents || !filter.tools) return readTurns(turnSource);
  // Later lines may give away other secrets.
  const getEnd = redactor && ((path: string) => redactor.getEnd(path));
  if (spawned) {
    return readSpawnedTurns({ ...turnSource, spawned, transform, getEnd, signal, onFile });
  }
  const turns = readTurns(turnSource);
  if (subagents.length === 0) return turns;
  const { dialect } = turnSource;
  return readSubagentTurns(turns, { dialect, subagents, transform, getEnd, signal });
}

interface Selection extends SelectedEntries {
  readonly session: Session;
  readonly tree: Tree;
}

function select({ session, dialect }: SessionSource, scope: Scope): Selection {
  const tree = treeOf(session);
  return { session, tree, ...selectEntries(session, dialect, tree, scope) };
}

/** A selection without secrets in the ids of its entries. */
function hideSelection(selection: Selection, redactor: Redactor): Selection {
  const { session, entries, leaf, edits, shows } = selection;
  const hidden = hideIds(session, redactor);
  const release = session.release && redactor.toSafeId(session.release);
  if (hidden.size === 0) return { ...selection, session: { ...session, release } };
  const toSafe = (entry: Entry): Entry => hidden.get(entry) ?? entry;
  const safe = { ...session, release, entries: session.entries.map(toSafe) };
  return {
    session: safe,
    tree: treeOf(safe),
    entries: entries.map(toSafe),
    leaf: leaf && toSafe(leaf),
    edits: new Map(Array.from(edits, ([id, edit]) => [redactor.toSafeId(id), toSafe(edit)])),
    shows,
  };
}

interface AskedScope {
  readonly branch?: Scope['branch'];
  readonly allBranches?: boolean | undefined;
  readonly fullHistory?: boolean | undefined;
  readonly harness?: boolean | undefined;
}

/** Returns the part of a session that a format shows: all of it, if it has no choice. */
export function toScope(
  { branches, isForModels }: ExportFormat,
  { branch, allBranches = false, fullHistory = false, harness = false }: AskedScope,
): Scope {
  const isWhole = branches === 'always';
  return {
    branch,
    allBranches: allBranches || (isWhole && branch === undefined),
    fullHistory: fullHistory || isWhole,
    harness,
    forModels: isForModels === true,
  };
}

/**
 * A scope for each branch, named by its last entry; those without an id cannot be named. The current path where there
 * is none to name, as in a session that is yet to begin.
 */
export function splitBranches(
  { session, dialect }: Pick<SessionSource, 'session' | 'dialect'>,
  scope: Scope,
): readonly Scope[] {
  const tree = treeOf(session);
  const ends = dialect.forking?.findEnds(session, tree) ?? findLeaves(tree);
  const named = ends.filter(({ id }) => id !== undefined);
  const branches = named.length > 0 ? named : [undefined];
  return branches.map((branch) => ({ ...scope, branch, allBranches: false }));
}

/** Leaves out the facts that only coppice itself needs, and that may hold texts. */
function toShared(summary: SessionSummary) {
  const {
    relations: _relations,
    origins: _origins,
    claims: _claims,
    otherCwds: _cwds,
    earlierPaths: _paths,
    isHeldByHost: _held,
    listedCwd: _listed,
    givenName: _given,
    otherParents: _parents,
    possibleForks: _forks,
    packedUsages: _usages,
    ...shared
  } = summary;
  return shared;
}

/**
 * Takes secrets out of the summary of a session, and leaves out what relates it to other files: ids and paths are
 * of no use to whom it is shared with. `entryUsages` is as it was: tables of usage hide its names themselves.
 */
export async function redactSummary(
  summary: SessionSummary,
  redactor: Redactor | undefined,
): Promise<SessionSummary> {
  if (!redactor) return summary;
  const { gitBranch, entrypoint, subagents, files, problem } = summary;
  const origin = await redactor.redact(
    { gitBranch, entrypoint, problem: problem?.message ?? '' },
    0,
  );
  const { id, name, firstMessage, cwd, path, parentSessionPath, branchedFrom } = summary;
  const facts = { name, firstMessage, cwd, path, parentSessionPath, branchedFrom };
  const safe = await redactor.redact(facts, 0);
  const text = (key: keyof typeof facts): string => getString(safe, key) ?? '';
  return {
    ...toShared(summary),
    id: redactor.toSafeId(id),
    ...(files && { files: await redactList(files, redactor) }),
    name: name === null ? null : text('name'),
    firstMessage: text('firstMessage'),
    cwd: text('cwd'),
    path: text('path'),
    parentSessionPath: parentSessionPath === null ? null : text('parentSessionPath'),
    branchedFrom: branchedFrom === null ? null : text('branchedFrom'),
    models: await redactList(summary.models, redactor),
    ...(gitBranch !== undefined && { gitBranch: getString(origin, 'gitBranch') ?? '' }),
    ...(entrypoint !== undefined && { entrypoint: getString(origin, 'entrypoint') ?? '' }),
    ...(subagents && { subagents: await redactSubagents(subagents, redactor) }),
    ...(problem && { problem: { ...problem, message: getString(origin, 'problem') ?? '' } }),
  };
}

async function redactSubagents(
  subagents: readonly Subagent[],
  redactor: Redactor,
): Promise<readonly Subagent[]> {
  const safe: Subagent[] = [];
  for (const subagent of subagents) {
    const { path, id, type, description, callId } = subagent;
    const texts = await redactor.redact({ path, id, type, description, callId }, 0);
    const text = (key: string): string | null => getString(texts, key) ?? null;
    safe.push({
      ...toSubagentResult(subagent),
      path: text('path') ?? '',
      id: text('id') ?? '',
      type: text('type'),
      description: text('description'),
      callId: text('callId'),
      models: await redactList(subagent.models, redactor),
    });
  }
  return safe;
}

async function redactList(
  texts: readonly string[],
  redactor: Redactor,
): Promise<readonly string[]> {
  const { models } = await redactor.redact({ models: texts }, 0);
  return isArray(models) ? models.map((text) => (typeof text === 'string' ? text : '')) : [];
}

async function redactUsages(
  { models, days }: UsageFacts,
  redactor: Redactor | undefined,
): Promise<UsageFacts> {
  if (!redactor) return { models, days };
  const names = models.map(({ model }) => model);
  const safe = await redactList(names, redactor);
  return { models: models.map((one, index) => ({ ...one, model: safe[index] ?? '' })), days };
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
