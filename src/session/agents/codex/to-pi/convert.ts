import type { ReadPayload } from '../../../dialect/fold.ts';
import type { Converted, LineProblem } from '../../../dialect/migration.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { findStart } from '../../../dialect/pi-lines.ts';
import type { Entry } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { getCurrentPath, treeOf } from '../../../model/tree/tree.ts';
import { describeOpenCall, listNames, Losses } from '../../../rules/losses.ts';
import { quote } from '../../../rules/wording.ts';
import { isItem } from '../context/context.ts';
import { isPrompt } from '../entry/turn-limits.ts';
import { NO_HEADER, openLine } from '../format.ts';
import { spawned } from '../places/spawned.ts';
import { placePath } from '../index/place-path.ts';
import { findLosses, isReadable, WORDS } from './losses.ts';
import { planSteps, type Step, type StepKind } from './plan-steps.ts';
import { toAnswer, toContent } from './to-messages.ts';
import { toPieces } from './to-pieces.ts';
import { formatCounted } from '../../../model/text/numbers.ts';
import { getToolName } from '../entry/turn-parts.ts';

/**
 * Makes a session of pi v3 of a thread: the path that Codex continues with, also where it is in
 * several files. Whatever pi has no place for is counted and named.
 */
export async function convertToPi(
  session: Session,
  readPayload: ReadPayload,
  name: string | null,
): Promise<Converted> {
  const { header, path, stamp, problem } = session;
  const tree = treeOf(session);
  const entries = placePath(session, getCurrentPath(tree));
  const reader = new PathReader();
  for (const entry of entries) reader.add(entry, await readPayload(entry));
  const provider =
    header && getString(openLine(await readPayload(header)).payload, 'model_provider');
  const steps = reader.planSteps(entries);
  const source = { path, name, steps, provider };
  return {
    session,
    id: header?.id ?? '',
    timestamp: header?.timestamp ?? findStart(steps, stamp),
    cwdHint: header?.cwd === '' ? undefined : header?.cwd,
    refusal: problem?.message ?? findRefusal(header?.id, steps),
    problems: [
      ...reader.listProblems(),
      ...findOmitted(session, entries),
      ...findParent(session),
    ].toSorted((a, b) => a.line - b.line),
    messageCount: steps.length,
    toPieces: (identity) => toPieces(source, identity),
  };
}

/** Two threads without an id would be taken for copies of one. */
function findRefusal(id: string | undefined, steps: readonly Step[]): string | undefined {
  if (id === undefined || id === '') return NO_HEADER;
  return hasMessages(steps) ? undefined : 'has no messages';
}

function hasMessages(steps: readonly Step[]): boolean {
  return steps.some(({ kind }) => kind === 'answer' || kind === 'prompt');
}

/** Goes through the lines of a path once, and keeps what decides how each is written. */
class PathReader {
  readonly #kinds = new Map<Entry, StepKind>();
  readonly #losses = new Losses(WORDS);
  readonly #calls = new Map<string, { readonly line: number; readonly name: string }>();
  readonly #results = new Map<string, number>();
  /** The ids of sub-agents, with the first line that says that it was begun. */
  readonly #begun = new Map<string, number>();

  add(entry: Entry, value: JsonObject): void {
    const { payload } = openLine(value);
    for (const loss of findLosses(entry, value)) this.#losses.add(loss, entry.line);
    for (const id of spawned.listBegun(value)) {
      if (!this.#begun.has(id)) this.#begun.set(id, entry.line);
    }
    const kind = findKind(entry, value);
    if (kind) this.#kinds.set(entry, kind);
    const id = isItem(entry) ? getString(payload, 'call_id') : undefined;
    if (id === undefined) return;
    if (entry.type.endsWith('_call')) {
      this.#calls.set(id, { line: entry.line, name: getToolName(payload) });
    } else this.#results.set(id, entry.line);
  }

  planSteps(entries: readonly Entry[]): readonly Step[] {
    return planSteps(entries, this.#kinds);
  }

  listProblems(): readonly LineProblem[] {
    const open = [...this.#calls].filter(([id]) => !this.#results.has(id));
    const orphans = [...this.#results].filter(([id]) => !this.#calls.has(id));
    return [
      ...this.#losses.list(),
      ...describeBegun(this.#begun),
      ...open.map(([, { line, name }]) => describeOpenCall(line, name)),
      ...orphans.map(([id, line]) => {
        const message = `a result has no call: ${quote(id)}; Codex does not send it`;
        return { line, code: 'tool-result-orphan', message };
      }),
    ];
  }
}

/** Sub-agents have files of their own, which are converted only if they are selected. */
function describeBegun(begun: ReadonlyMap<string, number>): readonly LineProblem[] {
  const [line] = begun.values();
  if (line === undefined) return [];
  const names = listNames([...begun.keys()]);
  const message = `the work of ${formatCounted(begun.size, 'sub-agent')} is left out, unless --source subagent selects it${names}`;
  return [{ line, code: 'subagent-lost', message }];
}

/** Finds the kind of entry that a line becomes; undefined if none. */
function findKind(entry: Entry, value: JsonObject): StepKind | undefined {
  if (entry.type === 'compaction') {
    return isReadable(openLine(value).payload) ? 'compaction' : undefined;
  }
  if (!isItem(entry)) return undefined;
  if (toAnswer([value], { provider: undefined, modelId: undefined }) && isModels(entry))
    return 'answer';
  if (!toContent(value, isPrompt(entry), undefined)) return undefined;
  return isPrompt(entry) ? 'prompt' : 'other';
}

function isModels({ type, role }: Entry): boolean {
  return role === 'assistant' || type === 'reasoning' || type.endsWith('_call');
}

/** Turns that were rolled back or reverted. */
function findOmitted({ entries }: Session, path: readonly Entry[]): readonly LineProblem[] {
  const kept = new Set(path);
  const omitted = entries.filter((entry) => !kept.has(entry) && isItem(entry));
  const [first] = omitted;
  if (!first) return [];
  const count = formatCounted(omitted.length, 'line');
  const message = `${count} of turns that were rolled back or reverted left out`;
  return [{ line: first.line, code: 'branch-lost', message }];
}

function findParent({ header }: Session): readonly LineProblem[] {
  if (header?.parentSession === undefined) return [];
  const message = `a fork of ${quote(header.parentSession)}: the new session holds all of its path, and names no parent`;
  return [{ line: header.line, code: 'parent-lost', message }];
}
