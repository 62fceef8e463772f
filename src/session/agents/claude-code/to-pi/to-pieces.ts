import { getNumber, getObject, type JsonObject, toIso } from '../../../jsonl/edit/json.ts';
import type { NewIdentity } from '../../../dialect/migration.ts';
import type { Entry } from '../../../model/entry.ts';
import type { Piece } from '../../../jsonl/write/compose-file.ts';
import { parseStoredLine } from '../../../read/turns/payloads.ts';
import { SyntheticIds } from '../../../model/ids/synthetic-ids.ts';
import { toOneLine } from '../../../model/text/cut-text.ts';
import { getText } from '../entry/user-text.ts';
import { planSteps, type Step } from './plan-steps.ts';
import { toAnswer, toContents } from './to-messages.ts';
import { type Content, toEntryLine, toHeaderLine } from '../../../dialect/pi-lines.ts';

/** The facts about the whole session that are needed before the first line can be written. */
export interface Source {
  /** The path of the session file. */
  readonly path: string;
  readonly title: string | null;
  /** The path that is carried over, in the order in which the client reads it. */
  readonly entries: readonly Entry[];
  /** Returns how many entries a line becomes. */
  readonly count: (entry: Entry) => number;
  /** The names of tools, by the ids of calls. */
  readonly toolNames: ReadonlyMap<string, string>;
  /** How large the context was that the summary stands for. */
  readonly tokensBefore: number;
}

/** The lines of the new file: the header, its name, and one path on which each entry follows the last. */
export function toPieces(source: Source, identity: NewIdentity): readonly Piece[] {
  const { entries, count } = source;
  const ids = new SyntheticIds(entries.flatMap(({ id }) => id ?? []));
  const { id, timestamp } = identity;
  const pieces: Piece[] = [{ text: toHeaderLine(identity) }];
  let parentId: string | null = null;
  const name = toOneLine(source.title ?? '');
  if (name !== '') {
    const own = ids.create(id, 'name');
    pieces.push({
      text: toEntryLine({ type: 'session_info', name }, { id: own, parentId, timestamp }),
    });
    parentId = own;
  }
  for (const step of planSteps(entries, count, ids)) {
    pieces.push(toPiece(step, parentId, source, timestamp));
    parentId = step.ids.at(-1) ?? null;
  }
  return pieces;
}

function toPiece(step: Step, above: string | null, source: Source, fallbackTime: string): Piece {
  const { lines } = step;
  const timestamp = toIso(lines[0]?.time ?? Number.NaN) ?? fallbackTime;
  const join = (stored: readonly Buffer[]): Buffer => {
    const values = lines.map((entry, at) =>
      parseStoredLine(stored[at] ?? Buffer.alloc(0), entry, source.path),
    );
    let parentId = above;
    const made = toStepContents(step, values, source).map((content, at) => {
      const id = step.ids[at] ?? '';
      const line = toEntryLine(content, { id, parentId, timestamp });
      parentId = id;
      return line;
    });
    return Buffer.from(made.join('\n'));
  };
  return { spans: lines, join };
}

function toStepContents(
  { kind, firstKeptId }: Step,
  values: readonly JsonObject[],
  { toolNames, tokensBefore }: Source,
): readonly Content[] {
  const [first = {}] = values;
  if (kind === 'answer') {
    const answer = toAnswer(values);
    return answer ? [answer] : [];
  }
  if (kind !== 'compaction') return toContents(first, toolNames);
  const kept = { firstKeptEntryId: firstKeptId ?? '', tokensBefore };
  return [{ type: 'compaction', summary: getText(first), ...kept }];
}

/** Returns the tokens of the context before a boundary. */
export function getTokensBefore(boundary: JsonObject): number {
  return getNumber(getObject(boundary, 'compactMetadata') ?? {}, 'preTokens') ?? 0;
}
