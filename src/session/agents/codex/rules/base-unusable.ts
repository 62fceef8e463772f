import { INDEX_PLAN } from '../index/plans.ts';
import { getNumber, getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { FoundLine, OtherFiles } from '../../../jsonl/read/other-files.ts';
import type { Place, Rule } from '../../../dialect/rule.ts';
import { toPlace } from '../../../rules/place.ts';
import { quote } from '../../../rules/wording.ts';
import { readHeader } from './read-header.ts';
import { bases } from '../index/bases.ts';
import { formatNumber } from '../../../model/text/numbers.ts';

/** A rollout whose history begins in another one that is gone, or is no longer what it was. */
export const baseUnusable: Rule = {
  id: 'rollout-base-unusable',
  level: 'error',
  fixable: false,
  summary: 'a rollout that continues from a file of Codex that is missing or has changed',
  help:
    'A fork holds only its own turns, and so does the file that a revert has made. The turns ' +
    'before them are in the file of the parent, or of the generation before, up to the byte that ' +
    'the fork names. If that file is missing or shorter, Codex lists the thread but does not open ' +
    'it. If it was rewritten, turns are missing, or later ones of the parent appear. Restore the ' +
    'old file from a backup.',
  reads: INDEX_PLAN,
  check(report, { path }) {
    let base: HistoryBase | undefined;
    return {
      line: readHeader((header, line) => {
        base = toBase(toPlace(line), header);
      }),
      async look(files) {
        const problem = base && (await findProblem(base, path, files));
        if (base && problem !== undefined) report(base.place, problem);
      },
    };
  },
};

/** The place at which a rollout continues another one, as its first `session_meta` states. */
interface HistoryBase {
  readonly place: Place;
  readonly id: string;
  /** The first line of the other one that is not shared. */
  readonly ordinal: number | undefined;
  /** The offset at which that line begins, in the text. */
  readonly offset: number | undefined;
}

function toBase(place: Place, payload: JsonObject): HistoryBase | undefined {
  const stored = getObject(payload, 'history_base');
  if (!stored) return undefined;
  return {
    place,
    id: getString(stored, 'thread_id') ?? '',
    ordinal: getNumber(stored, 'end_ordinal_exclusive'),
    offset: getNumber(stored, 'end_byte_offset'),
  };
}

async function findProblem(
  { id, ordinal, offset }: HistoryBase,
  path: string,
  files: OtherFiles,
): Promise<string | undefined> {
  const isNamed = (name: string): boolean => bases.toFileId(name) === id;
  const parent = await files.findBelow(bases.listPlaces(path), isNamed);
  if (parent === undefined) return `continues from ${quote(id)}, which is not in the store`;
  if (offset === undefined)
    return `does not record the byte of ${quote(id)} from which it continues`;
  const found = await files.findLine(parent, offset);
  const problem = found && describe(found, ordinal);
  return problem && `continues from byte ${formatNumber(offset)} of ${quote(id)}, ${problem}`;
}

/** Describes the fault in the line that is no longer shared. */
function describe(found: FoundLine, ordinal: number | undefined): string | undefined {
  if (found === 'past') return 'which is shorter';
  if (found === 'inside') return 'which is in the middle of a line';
  const there = typeof found === 'string' ? undefined : getNumber(found, 'ordinal');
  if (there === undefined || ordinal === undefined || there === ordinal) return undefined;
  return `where line ${formatNumber(there)} is by its ordinal, and ${formatNumber(ordinal)} was`;
}
