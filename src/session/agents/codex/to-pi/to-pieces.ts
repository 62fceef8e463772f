import type { NewIdentity } from '../../../dialect/migration.ts';
import { getString, type JsonObject, toIso } from '../../../jsonl/edit/json.ts';
import type { Piece } from '../../../jsonl/write/compose-file.ts';
import { SyntheticIds } from '../../../model/ids/synthetic-ids.ts';
import { toOneLine } from '../../../model/text/cut-text.ts';
import { parseStoredLine } from '../../../read/turns/payloads.ts';
import { openLine } from '../format.ts';
import type { Step } from './plan-steps.ts';
import { toAnswer, toContent } from './to-messages.ts';
import {
  type Content,
  type EntryPlace,
  toEntryLine,
  toHeaderLine,
  UNKNOWN,
} from '../../../dialect/pi-lines.ts';

/** The facts about the whole thread that are needed before the first line can be written. */
export interface Source {
  /** The path of its own file. */
  readonly path: string;
  readonly name: string | null;
  readonly steps: readonly Step[];
  readonly provider: string | undefined;
}

/** The lines of the new file: the header, its name, and one path on which each entry follows the last. */
export function toPieces(source: Source, identity: NewIdentity): readonly Piece[] {
  const { id, timestamp } = identity;
  const ids = new SyntheticIds([]);
  const pieces: Piece[] = [{ text: toHeaderLine(identity) }];
  let parentId: string | null = null;
  const add = (seed: string, make: (place: EntryPlace) => Piece, time: number): void => {
    const own = ids.create(id, seed);
    pieces.push(make({ id: own, parentId, timestamp: toIso(time) ?? timestamp }));
    parentId = own;
  };
  const name = toOneLine(source.name ?? '');
  const addNew = (seed: string, content: Content, time: number): void =>
    add(seed, (place) => ({ text: toEntryLine(content, place) }), time);
  if (name !== '') addNew('name', { type: 'session_info', name }, Number.NaN);
  let model: string | undefined;
  for (const [at, step] of source.steps.entries()) {
    const modelId = step.kind === 'answer' ? step.lines[0]?.model?.modelId : undefined;
    if (modelId !== undefined && modelId !== model) {
      const change = { type: 'model_change', provider: source.provider ?? UNKNOWN, modelId };
      addNew(`model ${at}`, change, step.time);
      model = modelId;
    }
    add(`step ${at}`, (place) => toPiece(step, place, source), step.time);
  }
  return pieces;
}

function toPiece(step: Step, place: EntryPlace, source: Source): Piece {
  const { lines } = step;
  const join = (stored: readonly Buffer[]): Buffer => {
    const values = lines.map((entry, at) =>
      parseStoredLine(stored[at] ?? Buffer.alloc(0), entry, entry.file ?? source.path),
    );
    return Buffer.from(toEntryLine(toStepContent(step, values, place, source) ?? {}, place));
  };
  return { spans: lines, join };
}

function toStepContent(
  { kind, lines }: Step,
  values: readonly JsonObject[],
  { id }: EntryPlace,
  { provider }: Source,
): Content | undefined {
  const [first = {}] = values;
  const [entry] = lines;
  if (kind === 'answer') return toAnswer(values, { provider, modelId: entry?.model?.modelId });
  if (kind !== 'compaction') return toContent(first, kind === 'prompt', entry?.customType);
  const summary = getString(openLine(first).payload, 'message') ?? '';
  return { type: 'compaction', summary, firstKeptEntryId: id, tokensBefore: 0 };
}
