import type { LineFold, SourceFile } from '../../../dialect/fold.ts';
import type { Converted, LineProblem } from '../../../dialect/migration.ts';
import { getString, isObject, type JsonObject } from '../../../jsonl/edit/json.ts';
import { findStart } from '../../../dialect/pi-lines.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { Entry } from '../../../model/entry.ts';
import { getCurrentPath, treeOf } from '../../../model/tree/tree.ts';
import { quote } from '../../../rules/wording.ts';
import type { ClaudeCodeEntry } from '../entry/to-entry.ts';
import { getText, toTyped } from '../entry/user-text.ts';
import { placeAroundAnswers, toUses } from '../context/around-answers.ts';
import { isBoundaryLine, isNode, isSidechainLine, toSessionId } from '../format.ts';
import { type ClaudeCodeSession, SessionIndexer } from '../index/index-session.ts';
import { readObject } from '../index/read-object.ts';
import { Titles } from '../index/titles.ts';
import { describeOpenCall, Losses } from '../../../rules/losses.ts';
import { findLosses, listCalls, listResultIds, type Loss, WORDS } from './losses.ts';
import { toAnswer, toContents } from './to-messages.ts';
import { getTokensBefore, toPieces } from './to-pieces.ts';
import { shorten } from '../../../model/text/cut-text.ts';
import { formatCounted } from '../../../model/text/numbers.ts';

/** The facts about a line of the conversation that are needed before the first can be written. */
interface LineFacts {
  /** How many entries it becomes. */
  readonly count: number;
  /** Whether one of them is a message of the user. */
  readonly isAsked: boolean;
  readonly losses: readonly Loss[];
  readonly calls: ReturnType<typeof listCalls>;
  /** The ids of the calls that it answers. */
  readonly results: readonly string[];
  readonly cwd: string | undefined;
}

/** The prompt by which the client lists a session without a title. */
interface Prompt {
  readonly text: string;
  readonly line: number;
  /** Whether pi shows it as the client does. */
  readonly isPlain: boolean;
}

const MAX_TITLE = 200;
const NO_NAMES: ReadonlyMap<string, string> = new Map();

/**
 * Makes a session of pi v3 of one of Claude Code: the conversation that the client continues with, as
 * one path. Whatever pi has no place for is counted and named.
 */
export class PiConverter implements LineFold<Converted> {
  readonly #indexer = new SessionIndexer();
  /** The facts of each line. */
  readonly #facts = new Map<number, LineFacts>();
  readonly #titles = new Titles();
  readonly #toolNames = new Map<string, string>();
  #tokensBefore = 0;
  #firstPrompt: Prompt | undefined;

  visit(line: Line, content: LineContent): void {
    const read = readObject(line, content);
    if (!read) return;
    this.#indexer.add(line, read);
    const { value } = read;
    if (isNode(value)) this.#addNode(value, line.number);
    else this.#titles.add(value);
  }

  finish(file: SourceFile): Converted {
    const session = this.#indexer.finish(file);
    const tree = treeOf(session);
    const entries = session.leaf ? getCurrentPath(tree) : [];
    const count = ({ line }: Entry): number => this.#facts.get(line)?.count ?? 0;
    const spoken = placeAroundAnswers(
      entries.filter((entry) => count(entry) > 0),
      toUses,
    );
    const source = {
      path: file.path,
      title: this.#titles.best ?? this.#findTitle(spoken),
      entries: spoken,
      count,
      toolNames: this.#toolNames,
      tokensBefore: this.#tokensBefore,
    };
    return {
      session,
      id: toSessionId(file.path),
      timestamp: findStart(spoken, file.stamp),
      cwdHint: undefined,
      refusal: session.problem?.message ?? (spoken.length === 0 ? 'has no messages' : undefined),
      problems: this.#listProblems(session, entries, spoken),
      messageCount: new Set(spoken.map(({ messageId, line }) => messageId ?? line)).size,
      toPieces: (identity) => toPieces(source, identity),
    };
  }

  /** pi lists a session by its first message, which need not be the prompt that the client lists it by. */
  #findTitle(spoken: readonly Entry[]): string | null {
    if (!this.#firstPrompt) return null;
    const { text, line, isPlain } = this.#firstPrompt;
    const asked = spoken.find(
      (one) => one.type !== 'compaction' && this.#facts.get(one.line)?.isAsked,
    );
    return isPlain && asked?.line === line ? null : shorten(text, MAX_TITLE);
  }

  #addNode(value: JsonObject, line: number): void {
    const isAnswer = value['type'] === 'assistant';
    const contents = isAnswer ? [] : toContents(value, NO_NAMES);
    const count = isAnswer ? Number(toAnswer([value]) !== undefined) : contents.length;
    const isAsked = contents.some(({ message }) => isObject(message) && message['role'] === 'user');
    const typed = isSidechainLine(value) ? undefined : toTyped(value);
    if (typed !== undefined) {
      this.#firstPrompt ??= { text: typed, line, isPlain: getText(value).startsWith(typed) };
    }
    const calls = listCalls(value);
    for (const [id, name] of calls) this.#toolNames.set(id, name);
    if (isBoundaryLine(value)) this.#tokensBefore = getTokensBefore(value);
    const results = listResultIds(value);
    const [losses, cwd] = [findLosses(value), getString(value, 'cwd')];
    this.#facts.set(line, { count, isAsked, losses, calls, results, cwd });
  }

  /** Lists problems in line order. */
  #listProblems(
    { entries }: ClaudeCodeSession,
    path: readonly ClaudeCodeEntry[],
    spoken: readonly ClaudeCodeEntry[],
  ): readonly LineProblem[] {
    const losses = new Losses(WORDS);
    for (const { line } of path) {
      for (const loss of this.#facts.get(line)?.losses ?? []) losses.add(loss, line);
    }
    for (const { aside, line, type } of entries) {
      if (aside && !Titles.has(type)) losses.add({ code: 'aside', name: type }, line);
    }
    const problems = [
      ...losses.list(),
      ...this.#findOmitted(entries, new Set(path)),
      ...this.#findOpen(spoken),
      ...this.#findOtherCwd(path),
    ];
    return problems.toSorted((a, b) => a.line - b.line);
  }

  /** Finds messages that are not on the path. */
  #findOmitted(
    entries: readonly ClaudeCodeEntry[],
    path: ReadonlySet<Entry>,
  ): readonly LineProblem[] {
    const omitted = entries.filter(
      (entry) => !path.has(entry) && (this.#facts.get(entry.line)?.count ?? 0) > 0,
    );
    const [first] = omitted;
    if (!first) return [];
    const count = formatCounted(omitted.length, 'line');
    const message = `${count} outside of the current path left out: other branches, sub-agents, and entries before a compaction`;
    return [{ line: first.line, code: 'branch-lost', message }];
  }

  /** Calls and results without each other, which pi repairs in its own way. */
  #findOpen(spoken: readonly ClaudeCodeEntry[]): readonly LineProblem[] {
    const facts = spoken.flatMap(({ line }) => {
      const known = this.#facts.get(line);
      return known ? [{ line, ...known }] : [];
    });
    const called = new Set<string>();
    const answered = new Set<string>();
    const uncalled: { readonly line: number; readonly id: string }[] = [];
    for (const { line, calls, results } of facts) {
      for (const [id] of calls) called.add(id);
      for (const id of results) {
        if (called.has(id)) answered.add(id);
        else uncalled.push({ line, id });
      }
    }
    const open = facts.flatMap(({ line, calls }) =>
      calls.filter(([id]) => !answered.has(id)).map(([, name]) => describeOpenCall(line, name)),
    );
    const orphans = uncalled.map(({ line, id }) => {
      const message = `a result has no call before it: ${quote(id)}; the agent does not send it`;
      return { line, code: 'tool-result-orphan', message };
    });
    return [...open, ...orphans];
  }

  #findOtherCwd(path: readonly ClaudeCodeEntry[]): readonly LineProblem[] {
    const at = path.map(({ line }) => ({ line, cwd: this.#facts.get(line)?.cwd }));
    const first = at.find(({ cwd }) => cwd !== undefined)?.cwd;
    const other = at.find(({ cwd }) => cwd !== undefined && cwd !== first);
    if (!other) return [];
    const message = 'the session was in several working directories: pi has one for a session';
    return [{ line: other.line, code: 'cwd-lost', message }];
  }
}
