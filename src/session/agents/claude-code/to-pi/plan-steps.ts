import type { Entry } from '../../../model/entry.ts';
import type { SyntheticIds } from '../../../model/ids/synthetic-ids.ts';

/** Lines of the source that become entries of pi together, and the ids of those. */
export interface Step {
  readonly kind: 'answer' | 'other' | 'compaction';
  readonly lines: readonly Entry[];
  /** One for each entry; never none. */
  readonly ids: readonly string[];
  /** The first entry that a compaction keeps of what came before; its own id for none. */
  readonly firstKeptId?: string;
}

interface Draft {
  readonly kind: Step['kind'];
  readonly lines: Entry[];
  readonly count: number;
}

/**
 * The entries that a path becomes, in the order of pi: what a compaction keeps stands before it. A
 * summary that something was said before, as where the head of a conversation is kept, is a message
 * like others. `count`: how many entries a line becomes.
 */
export function planSteps(
  path: readonly Entry[],
  count: (entry: Entry) => number,
  ids: SyntheticIds,
): readonly Step[] {
  const drafts = joinAnswers(
    path.filter((entry) => count(entry) > 0),
    count,
  );
  const [first, ...others] = drafts;
  const summary = first?.kind === 'compaction' ? first.lines[0] : undefined;
  if (!first || !summary) return drafts.map((draft) => toStep(draft, ids));
  const isKept = (draft: Draft): boolean =>
    draft.lines.every(({ offset }) => offset < summary.offset);
  const at = others.findIndex((draft) => !isKept(draft));
  const kept = (at === -1 ? others : others.slice(0, at)).map((draft) => toStep(draft, ids));
  const compaction = toStep(first, ids);
  const firstKeptId = kept[0]?.ids[0] ?? compaction.ids[0] ?? '';
  const since = at === -1 ? [] : others.slice(at).map((draft) => toStep(draft, ids));
  return [...kept, { ...compaction, firstKeptId }, ...since];
}

/** The lines of an answer together, where nothing but answers and results stands between them. */
function joinAnswers(path: readonly Entry[], count: (entry: Entry) => number): readonly Draft[] {
  const drafts: Draft[] = [];
  const open = new Map<string, Draft>();
  for (const entry of path) {
    const { role, messageId, type } = entry;
    const known = role === 'assistant' ? open.get(messageId ?? '') : undefined;
    if (known) {
      known.lines.push(entry);
      continue;
    }
    const isFirst = type === 'compaction' && drafts.length === 0;
    const kind = role === 'assistant' ? 'answer' : isFirst ? 'compaction' : 'other';
    const draft: Draft = { kind, lines: [entry], count: count(entry) };
    drafts.push(draft);
    if (role === 'assistant' && messageId !== undefined) open.set(messageId, draft);
    else if (role !== 'toolResult') open.clear();
  }
  return drafts;
}

/** The last entry has the id of the last line. */
function toStep({ kind, lines, count }: Draft, ids: SyntheticIds): Step {
  const id = lines.at(-1)?.id ?? '';
  const made = kind === 'other' ? count : 1;
  const own = Array.from({ length: made }, (_, at) => (at === made - 1 ? id : ids.create(id, at)));
  return { kind, lines, ids: own };
}
