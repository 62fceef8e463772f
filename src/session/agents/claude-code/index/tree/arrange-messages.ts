import {
  callsOf,
  type ClaudeCodeEntry,
  getCalls,
  isMessage,
  isPassed,
  resultsOf,
} from '../../entry/to-entry.ts';
import { isBeside, isOfMessage } from '../leaf/continues-from.ts';
import { listTrail } from './trail.ts';
import { SmallGroups } from '../../../../model/tree/group-by.ts';
import { countLeading } from '../../../../model/count-leading.ts';

/**
 * A path as the client reads it: with every line of the answers that it passes, with what their tools
 * returned and what stands behind that, also where the path passes beside them; and, where the
 * conversation continues, with what is attached to the last message.
 */
export function arrangeMessages(
  path: readonly ClaudeCodeEntry[],
  placed: readonly ClaudeCodeEntry[],
  isCurrent: boolean,
): readonly ClaudeCodeEntry[] {
  const isWhole = path.at(-1)?.isUnloaded === true;
  const nodes = isWhole ? placed : placed.filter(({ isUnloaded }) => !isUnloaded);
  const kin = new Kin(nodes);
  const last = path.findLastIndex(isMessage);
  const widened = widen(path.slice(0, last + 1), kin);
  const message = path[last];
  const known = new Set(widened);
  const behind =
    isCurrent && message
      ? listTrail(kin.inOrder, (one) => kin.parentIdOf(one), message, known)
      : path.slice(last + 1);
  const rest = behind.filter((entry) => !known.has(entry));
  return rest.length === 0 ? widened : [...widened, ...rest];
}

/** Returns the position of an entry; for several lines of one id, that of the first. */
function toOrder({ firstOffset, offset }: ClaudeCodeEntry): number {
  return firstOffset ?? offset;
}

/** The relations between entries. */
class Kin {
  readonly inOrder: readonly ClaudeCodeEntry[];
  readonly #byId = new Map<string, ClaudeCodeEntry>();
  readonly #lines = new SmallGroups<string, ClaudeCodeEntry>();
  #children: SmallGroups<string, ClaudeCodeEntry> | undefined;
  #results: SmallGroups<ClaudeCodeEntry, ClaudeCodeEntry> | undefined;
  #callers: ReadonlyMap<string, ClaudeCodeEntry | null> | undefined;

  constructor(nodes: readonly ClaudeCodeEntry[]) {
    const isMoved = nodes.some(({ firstOffset }) => firstOffset !== undefined);
    const inOrder = isMoved ? nodes.toSorted((a, b) => toOrder(a) - toOrder(b)) : nodes;
    for (const node of inOrder) if (node.id !== undefined) this.#byId.set(node.id, node);
    this.inOrder = inOrder.filter((node) => !isPassed(node));
    for (const node of this.inOrder) {
      if (node.messageId !== undefined) this.#lines.add(node.messageId, node);
    }
  }

  /** Returns the parent of an entry, unless it only replaces the written one or is skipped. */
  parentIdOf({ parentId, writtenParentId, isBridged }: ClaudeCodeEntry): string | null {
    let id = isBridged ? (writtenParentId ?? null) : parentId;
    const seen = new Set<string>();
    for (let at = this.#get(id); at && isPassed(at) && !seen.has(id ?? ''); at = this.#get(id)) {
      seen.add(id ?? '');
      id = at.parentId;
    }
    return id;
  }

  #get(id: string | null): ClaudeCodeEntry | undefined {
    return id === null ? undefined : this.#byId.get(id);
  }

  linesOf(messageId: string): readonly ClaudeCodeEntry[] {
    return this.#lines.get(messageId);
  }

  childrenOf({ id }: ClaudeCodeEntry): readonly ClaudeCodeEntry[] {
    this.#children ??= this.#findChildren();
    return id === undefined ? [] : this.#children.get(id);
  }

  #findChildren(): SmallGroups<string, ClaudeCodeEntry> {
    const children = new SmallGroups<string, ClaudeCodeEntry>();
    for (const node of this.inOrder) {
      const parentId = this.parentIdOf(node);
      if (parentId !== null) children.add(parentId, node);
    }
    return children;
  }

  /** Returns the results attached to a line, and results of its calls that are attached elsewhere. */
  resultsOf(line: ClaudeCodeEntry): readonly ClaudeCodeEntry[] {
    this.#results ??= this.#findResults();
    return this.#results.get(line);
  }

  #findResults(): SmallGroups<ClaudeCodeEntry, ClaudeCodeEntry> {
    const results = new SmallGroups<ClaudeCodeEntry, ClaudeCodeEntry>();
    const unmatched: ClaudeCodeEntry[] = [];
    for (const result of this.inOrder) {
      if (result.role !== 'toolResult') continue;
      const parent = this.#get(this.parentIdOf(result));
      if (parent) results.add(parent, result);
      const calls = parent ? callsOf(parent) : [];
      const own = getCalls(result);
      if (own.length === 0 || !own.every((call) => calls.includes(call))) unmatched.push(result);
    }
    for (const result of unmatched) {
      const callers = new Set(getCalls(result).map((call) => this.callerOf(call)));
      for (const caller of callers) {
        if (!caller || caller.id === this.parentIdOf(result)) continue;
        if (caller.isSidechain === result.isSidechain) results.add(caller, result);
      }
    }
    return results;
  }

  /** The line of a call; of several in one answer the last, and none where answers share its id. */
  callerOf(call: string): ClaudeCodeEntry | undefined {
    this.#callers ??= this.#findCallers();
    return this.#callers.get(call) ?? undefined;
  }

  #findCallers(): ReadonlyMap<string, ClaudeCodeEntry | null> {
    const callers = new Map<string, ClaudeCodeEntry | null>();
    for (const lines of this.#lines.lists()) {
      for (const line of lines) {
        for (const call of getCalls(line)) {
          const known = callers.get(call);
          const isSame = known === undefined || known?.messageId === line.messageId;
          callers.set(call, isSame ? line : null);
        }
      }
    }
    return callers;
  }
}

/** A stretch of a path, and what belongs into it. */
interface Stretch {
  readonly start: number;
  end: number;
  /** The entries in any order. */
  readonly found: ClaudeCodeEntry[];
  /** The entries behind those of the stretch, without results. */
  readonly behind: Map<ClaudeCodeEntry, readonly ClaudeCodeEntry[]>;
}

function widen(path: readonly ClaudeCodeEntry[], kin: Kin): readonly ClaudeCodeEntry[] {
  const widening = new Widening(path, kin);
  const done = new Set<string>();
  const stretches: Stretch[] = [];
  for (const [start, { role, messageId }] of path.entries()) {
    if (role !== 'assistant' || messageId === undefined || done.has(messageId)) continue;
    done.add(messageId);
    const stretch = widening.widenAt(start, messageId);
    if (!stretch) continue;
    const before = stretches.at(-1);
    if (!before || before.end <= start) stretches.push(stretch);
    else {
      before.end = Math.max(before.end, stretch.end);
      for (const entry of stretch.found) before.found.push(entry);
      for (const [entry, more] of stretch.behind) {
        before.behind.set(entry, [...(before.behind.get(entry) ?? []), ...more]);
      }
    }
  }
  return stretches.length === 0 ? path : widening.put(stretches);
}

class Widening {
  readonly #path: readonly ClaudeCodeEntry[];
  readonly #kin: Kin;
  readonly #seen: Set<ClaudeCodeEntry>;
  readonly #indexes: ReadonlyMap<ClaudeCodeEntry, number>;
  #answered: ReadonlySet<string> | undefined;
  #forks: readonly number[] | undefined;
  /** The places of results that are found by their call, and of entries after them. */
  readonly #places = new Map<ClaudeCodeEntry, number>();

  constructor(path: readonly ClaudeCodeEntry[], kin: Kin) {
    this.#path = path;
    this.#kin = kin;
    this.#seen = new Set(path);
    this.#indexes = new Map(path.map((entry, at) => [entry, at]));
  }

  widenAt(start: number, messageId: string): Stretch | undefined {
    const lines = this.#kin.linesOf(messageId);
    if (this.#holdsAll(lines)) return undefined;
    const found = [...lines.filter((line) => !this.#seen.has(line)), ...this.#findResults(lines)];
    for (const entry of found) this.#seen.add(entry);
    const end = this.#findEnd(start, lines, messageId);
    const behind = new Map<ClaudeCodeEntry, readonly ClaudeCodeEntry[]>();
    if (lines.some((line) => getCalls(line).length > 0)) {
      const results = lines.flatMap((line) => this.#kin.resultsOf(line));
      const around = new Set([...lines, ...results.filter((result) => this.#seen.has(result))]);
      for (const entry of around) for (const one of this.#takeBehind(entry)) found.push(one);
      for (const entry of this.#listForks(start + 1, end)) {
        const more = this.#takeBehind(entry);
        if (more.length > 0) behind.set(entry, more);
      }
    }
    if (found.length === 0 && behind.size === 0) return undefined;
    return { start, end, found, behind };
  }

  /** Returns whether nothing of an answer is beside the path, as is mostly so. */
  #holdsAll(lines: readonly ClaudeCodeEntry[]): boolean {
    const hasChildrenBeside = (entry: ClaudeCodeEntry): boolean =>
      this.#kin.childrenOf(entry).some((child) => !this.#seen.has(child));
    if (this.#getForks().length > 0 || lines.some((line) => !this.#seen.has(line))) return false;
    for (const line of lines) {
      if (hasChildrenBeside(line)) return false;
      for (const result of this.#kin.resultsOf(line)) {
        if (!this.#seen.has(result) || hasChildrenBeside(result)) return false;
      }
    }
    return true;
  }

  /** Finds results attached to a line, and those of a call that nothing else answers. */
  #findResults(lines: readonly ClaudeCodeEntry[]): readonly ClaudeCodeEntry[] {
    const ids = new Set(lines.map(({ id }) => id ?? null));
    const all = new Set(lines.flatMap((line) => this.#kin.resultsOf(line)));
    const results = [...all].filter((result) => !this.#seen.has(result));
    const isOwn = (result: ClaudeCodeEntry): boolean => ids.has(this.#kin.parentIdOf(result));
    const own = results.filter(isOwn);
    const others = results.filter((result) => !isOwn(result));
    if (others.length === 0) return own;
    const onPath = this.#getAnswered();
    const answered = new Set(own.flatMap(getCalls));
    const callers = new Set(lines);
    const last = lines.reduce((max, line) => Math.max(max, toOrder(line)), 0);
    for (const result of this.#toInOrder(others)) {
      const calls = getCalls(result);
      const isMissed = (call: string): boolean => {
        const caller = this.#kin.callerOf(call);
        if (onPath.has(call) || answered.has(call)) return false;
        return caller !== undefined && callers.has(caller);
      };
      if (!calls.some(isMissed)) continue;
      for (const call of calls) answered.add(call);
      this.#places.set(result, Math.max(toOrder(result), last + 0.5));
      own.push(result);
    }
    return own;
  }

  /** The calls of which the path holds results. */
  #getAnswered(): ReadonlySet<string> {
    this.#answered ??= new Set(this.#path.flatMap(resultsOf));
    return this.#answered;
  }

  /** Entries of a part of the path that say nothing by themselves, and have children beside the path. */
  *#listForks(from: number, end: number): Generator<ClaudeCodeEntry> {
    const forks = this.#getForks();
    for (let at = countLeading(forks, (one) => one < from); at < forks.length; at += 1) {
      const place = forks[at] ?? end;
      const entry = this.#path[place];
      if (place >= end || !entry) return;
      yield entry;
    }
  }

  #getForks(): readonly number[] {
    this.#forks ??= this.#path.flatMap((entry, at) => {
      if (!isBeside(entry)) return [];
      const isFork = this.#kin.childrenOf(entry).some((child) => !this.#indexes.has(child));
      return isFork ? at : [];
    });
    return this.#forks;
  }

  /** Finds the place behind the last line of an answer on the path, and what may stand among its lines. */
  #findEnd(start: number, lines: readonly ClaudeCodeEntry[], messageId: string): number {
    let end = start + 1;
    for (const line of lines) end = Math.max(end, (this.#indexes.get(line) ?? -1) + 1);
    for (let at = this.#path[end]; at && (isPassed(at) || isOfMessage(at, messageId));) {
      end += 1;
      at = this.#path[end];
    }
    return end;
  }

  /** Takes the entries attached to an entry, one behind the other, that say nothing by themselves. */
  #takeBehind(entry: ClaudeCodeEntry): readonly ClaudeCodeEntry[] {
    const place = this.#places.get(entry);
    return this.#kin.childrenOf(entry).flatMap((child) => {
      const found = this.#follow(child, entry);
      for (const one of found) {
        this.#seen.add(one);
        if (place !== undefined) this.#places.set(one, Math.max(toOrder(one), place));
      }
      return found;
    });
  }

  #follow(child: ClaudeCodeEntry, from: ClaudeCodeEntry): readonly ClaudeCodeEntry[] {
    const found: ClaudeCodeEntry[] = [];
    const own = new Set<ClaudeCodeEntry>();
    for (let at: ClaudeCodeEntry | undefined = child; at;) {
      const isPart = isBeside(at) && at.isSidechain === from.isSidechain && !own.has(at);
      if (!isPart || this.#seen.has(at)) return [];
      own.add(at);
      found.push(at);
      const next: readonly ClaudeCodeEntry[] = this.#kin
        .childrenOf(at)
        .filter((one) => !this.#seen.has(one));
      if (next.length > 1) return [];
      [at] = next;
    }
    return found;
  }

  #toPlace(entry: ClaudeCodeEntry): number {
    return this.#places.get(entry) ?? toOrder(entry);
  }

  #toInOrder(entries: readonly ClaudeCodeEntry[]): readonly ClaudeCodeEntry[] {
    return entries.toSorted(
      (a, b) => this.#toPlace(a) - this.#toPlace(b) || toOrder(a) - toOrder(b),
    );
  }

  put(stretches: readonly Stretch[]): readonly ClaudeCodeEntry[] {
    const arranged: ClaudeCodeEntry[] = [];
    let from = 0;
    for (const { start, end, found: all, behind } of stretches) {
      const found = this.#toInOrder(all);
      for (const entry of this.#path.slice(from, start + 1)) arranged.push(entry);
      let next = 0;
      for (const entry of this.#path.slice(start + 1, end)) {
        for (let one = found[next]; one && this.#toPlace(one) < toOrder(entry); one = found[next]) {
          arranged.push(one);
          next += 1;
        }
        arranged.push(entry);
        for (const one of behind.get(entry) ?? []) arranged.push(one);
      }
      for (const one of found.slice(next)) arranged.push(one);
      from = end;
    }
    return [...arranged, ...this.#path.slice(from)];
  }
}
