import { type ClaudeCodeEntry, getCalls } from '../entry/to-entry.ts';

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
  const { type, role, customType, messageId } = entry;
  const isQueued = customType === 'queued_command';
  const isSaid = type === 'message' || type === 'compaction' || customType === 'local_command';
  return {
    answer: messageId,
    calls: role === 'assistant' ? getCalls(entry) : [],
    results: role === 'toolResult' ? getCalls(entry) : [],
    isPrompt: isSaid && role !== 'assistant' && role !== 'toolResult',
    isQueued,
  };
}

/**
 * Moves each result that stands alone on a line before its call, in the same turn, behind the lines of that
 * answer, as 2.1.330 does; with it goes what was typed behind it.
 */
export function placeEarlyResults<T>(
  lines: readonly T[],
  getUses: (line: T) => Uses,
): readonly T[] {
  const uses = lines.map((line) => ({ line, ...getUses(line) }));
  const answers = findLaterAnswers(uses);
  if (answers.size === 0) return lines;
  const moved = new Map<unknown, T[]>([...answers.values()].map((answer) => [answer, []]));
  let behind: T[] | undefined;
  const others = uses.filter((one) => {
    const answer = answers.get(one);
    if (!one.isQueued) behind = answer && moved.get(answer);
    behind?.push(one.line);
    return !behind;
  });
  return others.flatMap((one) => [one.line, ...(moved.get(one) ?? [])]);
}

/** Finds the last line of the answer that makes the call, for each result that comes before its call. */
function findLaterAnswers<U extends Uses>(lines: readonly U[]): ReadonlyMap<U, U> {
  const ends = new Map(lines.map((line) => [line.answer ?? line, line]));
  const answers = new Map<U, U>();
  const called = new Set<string>();
  const early = new Map<string, U[]>();
  for (const line of lines) {
    if (line.isPrompt) early.clear();
    const [id, ...others] = line.results;
    if (id !== undefined && others.length === 0 && !called.has(id)) {
      const same = early.get(id) ?? [];
      same.push(line);
      early.set(id, same);
    }
    const end = ends.get(line.answer ?? line) ?? line;
    for (const call of line.calls) {
      for (const one of early.get(call) ?? []) answers.set(one, end);
      early.delete(call);
      called.add(call);
    }
  }
  return answers;
}
