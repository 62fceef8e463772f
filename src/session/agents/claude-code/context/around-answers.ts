import { callsOf, type ClaudeCodeEntry, isMessage, resultsOf } from '../entry/to-entry.ts';
import { addTo } from '../../../model/tree/group-by.ts';

/** The facts that decide the place of a line among the lines of a conversation. */
export interface Uses {
  /** The id of an answer, which all its lines share. */
  readonly answer: string | undefined;
  readonly calls: readonly string[];
  /** The calls that it has results of. */
  readonly results: readonly string[];
  /** Begins a turn. */
  readonly isPrompt: boolean;
  /** Was typed while the agent was at work. */
  readonly isQueued: boolean;
}

export function toUses(entry: ClaudeCodeEntry): Uses {
  const { role, customType, messageId, id } = entry;
  const isQueued = customType === 'queued_command';
  const isSaid = isMessage(entry) || customType === 'local_command';
  return {
    answer: role === 'assistant' ? (messageId ?? id) : undefined,
    calls: callsOf(entry),
    results: resultsOf(entry),
    isPrompt: isSaid && role !== 'assistant' && role !== 'toolResult',
    isQueued,
  };
}

/**
 * Moves lines behind an answer, as 2.1.332 does: those between its lines, and each result that stands
 * alone on a line before its call, in the same turn, with what was typed behind that. Nothing is moved for
 * an answer whose lines are apart.
 */
export function placeAroundAnswers<T>(
  lines: readonly T[],
  getUses: (line: T) => Uses,
): readonly T[] {
  const uses = lines.map(getUses);
  const ends = findEnds(uses);
  const inner = findInner(uses, ends);
  const early = findEarly(uses, ends, inner);
  if (inner.size === 0 && early.size === 0) return lines;
  const lineOf = new Map(lines.map((line, at) => [uses[at], line]));
  const behind = new Map<Uses, { readonly inner: Uses[]; readonly early: Uses[] }>();
  for (const end of [...inner.values(), ...early.values()])
    behind.set(end, { inner: [], early: [] });
  let place: Uses[] | undefined;
  const others = uses.filter((one) => {
    const [from, to] = [early.get(one), inner.get(one)];
    if (from) place = behind.get(from)?.early;
    else if (!one.isQueued || !place) place = to && behind.get(to)?.inner;
    place?.push(one);
    return !place;
  });
  return others
    .flatMap((one) => {
      const moved = behind.get(one);
      if (!moved) return [one];
      const isTyped = moved.inner.some(({ isQueued }) => isQueued);
      return isTyped
        ? [one, ...moved.early, ...moved.inner]
        : [one, ...moved.inner, ...moved.early];
    })
    .flatMap((one) => lineOf.get(one) ?? []);
}

/** The last lines of answers by their ids, where nothing but results and what was typed is between. */
function findEnds<U extends Uses>(lines: readonly U[]): ReadonlyMap<string, U> {
  const ends = new Map<string, U>();
  const apart = new Set<string>();
  let open: string | undefined;
  for (const line of lines) {
    const { answer, isPrompt } = line;
    if (isPrompt) open = undefined;
    if (answer === undefined) continue;
    if (answer !== open && ends.has(answer)) apart.add(answer);
    ends.set(answer, line);
    open = answer;
  }
  for (const answer of apart) ends.delete(answer);
  return ends;
}

/** Finds what stands between the lines of an answer, with the last of these. */
function findInner<U extends Uses>(
  lines: readonly U[],
  ends: ReadonlyMap<string, U>,
): ReadonlyMap<U, U> {
  const inner = new Map<U, U>();
  let end: U | undefined;
  for (const line of lines) {
    if (line.answer !== undefined) end = ends.get(line.answer);
    if (line === end) end = undefined;
    if (end && line.answer === undefined) inner.set(line, end);
  }
  return inner;
}

/** Finds the last line of the answer that makes the call, for each result before the lines of the answer. */
function findEarly<U extends Uses>(
  lines: readonly U[],
  ends: ReadonlyMap<string, U>,
  inner: ReadonlyMap<U, U>,
): ReadonlyMap<U, U> {
  const answers = new Map<U, U>();
  const called = new Set<string>();
  const early = new Map<string, U[]>();
  for (const line of lines) {
    if (line.isPrompt) early.clear();
    const [id, ...others] = line.results;
    if (id !== undefined && others.length === 0 && !called.has(id)) {
      addTo(early, id, line);
    }
    const end = ends.get(line.answer ?? '');
    for (const call of line.calls) {
      for (const one of early.get(call) ?? [])
        if (end && inner.get(one) !== end) answers.set(one, end);
      early.delete(call);
      called.add(call);
    }
  }
  return answers;
}
