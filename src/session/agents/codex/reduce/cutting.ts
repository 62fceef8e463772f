import type { CutDialect } from '../../../dialect/reduction.ts';
import { getNumber } from '../../../jsonl/edit/json.ts';
import { spliceObject } from '../../../jsonl/edit/splice.ts';
import type { Value } from '../../../dialect/surroundings/rows.ts';
import { openLine } from '../format.ts';
import { PROJECTION, TURNS } from '../places/database/databases.ts';
import { readBase } from '../index/relations.ts';

/**
 * The capability to rewrite files so that Codex 0.169 continues from them. It reads a file again whose state
 * is at the first byte, and keeps the turns that it has of it: until then, and for all forks, they are shown.
 * It neither forks nor reverts at a turn without bytes, and says so.
 */
export const cutting: CutDialect = {
  moveCut(line, header, from, to) {
    if (readBase(openLine(header).payload)?.end !== from) return undefined;
    const splice = (text: string): Buffer | undefined => {
      const edits = [{ key: 'end_byte_offset', value: text }];
      return spliceObject(line, edits, { at: ['payload', 'history_base'] });
    };
    const moved = splice(String(to));
    // A line of the same length moves nothing of what continues from it, nor of what rows count in it.
    const room = moved ? line.length - moved.length : -1;
    return room < 0 ? undefined : splice(String(to) + ' '.repeat(room));
  },
  getNumber: (line) => getNumber(line, 'ordinal'),
  unplaced: {
    [PROJECTION]: { next_rollout_byte_offset: 0, next_rollout_ordinal: 0 },
    [TURNS]: { rollout_byte_offset: null, rollout_end_byte_offset: null },
  },
  place(table, row, find) {
    if (table !== TURNS) return undefined;
    const [first, last] = ['rollout_ordinal', 'rollout_end_ordinal'].map((column) => {
      const ordinal = toNumber(row.get(column));
      return ordinal === undefined ? undefined : find(ordinal);
    });
    return {
      rollout_byte_offset: first?.offset ?? null,
      rollout_end_byte_offset: first && last ? last.end : null,
    };
  },
};

function toNumber(value: Value | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}
