import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { Place, Rule } from '../../../dialect/rule.ts';
import { INDEX_PLAN } from '../index/plans.ts';
import { toPlace } from '../../../rules/place.ts';
import { CURRENT_VERSION, getVersion, isEnveloped, LEGACY_VERSION, openLine } from '../format.ts';
import { isEnvelopeRead } from '../entry/fields/line-fields.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';

/** A line of a file with ordinals, and its own; undefined where it has none that is a number. */
type VisitOrdinal = (line: Line, ordinal: number | undefined) => void;

/** Visits the lines of a file that says that it has ordinals. */
function visitOrdinals(visit: VisitOrdinal): (line: Line, content: LineContent) => void {
  let isPaginated: boolean | undefined;
  return (line, content) => {
    if (content.kind !== 'object') return;
    const { type, payload } = openLine(content.value);
    if (type === 'session_meta') isPaginated ??= getVersion(payload) === CURRENT_VERSION;
    if (isPaginated !== true || !isEnvelopeRead(content.value)) return;
    const { ordinal } = content.value;
    visit(line, typeof ordinal === 'number' ? ordinal : undefined);
  };
}

/** A file with ordinals of which a line has none. */
export const ordinalMissing: Rule = {
  id: 'ordinal-missing',
  level: 'error',
  fixable: false,
  summary: 'a line without an ordinal in a rollout of Codex that has them',
  help:
    'Since 0.148, every line has an ordinal. Codex does not open a file whose last line has none, ' +
    'and leaves other lines without one out of the turns that it shows.',
  reads: INDEX_PLAN,
  check(report) {
    let isCounted = false;
    const without: Place[] = [];
    return {
      line: visitOrdinals((line, ordinal) => {
        if (ordinal !== undefined) isCounted = true;
        // One fault, and not one for each line, where the header only says that they have them.
        else if (isCounted || without.length === 0) without.push(toPlace(line));
      }),
      session() {
        const [first] = without;
        if (!isCounted && first) {
          report(
            first,
            'no line has an ordinal, though the header requires them: Codex does not open it',
          );
        } else {
          for (const place of without) report(place, 'has no ordinal: Codex does not show it');
        }
      },
    };
  },
};

/** A file with ordinals whose header does not say so. */
export const ordinalUnexpected: Rule = {
  id: 'ordinal-unexpected',
  level: 'error',
  fixable: false,
  summary: 'ordinals in a rollout of Codex whose header is that of a file without them',
  help:
    'Codex decides by `history_mode` in the header. Without `paginated` there, it shows no turns ' +
    'of such a file, but sends all of it to the model. Restore the header from a backup, or write ' +
    '`paginated` there.',
  reads: INDEX_PLAN,
  check(report) {
    let header: Place | undefined;
    let isDone = false;
    return {
      line(line, content) {
        if (isDone || content.kind !== 'object') return;
        const { type, payload } = openLine(content.value);
        if (!header && type === 'session_meta') {
          header = toPlace(line);
          isDone = getVersion(payload) !== LEGACY_VERSION || !isEnveloped(content.value);
        } else if (header && typeof content.value['ordinal'] === 'number') {
          isDone = true;
          report(
            header,
            'the lines have ordinals, but the header does not announce them: Codex shows no turns',
          );
        }
      },
    };
  },
};

/** An ordinal that was there before, or is smaller than one before. */
export const ordinalOrder: Rule = {
  id: 'ordinal-order',
  level: 'error',
  fixable: false,
  summary: 'an ordinal of a rollout of Codex that does not follow the one before it',
  help:
    'Codex does not show a line whose ordinal it has seen, or whose ordinal is smaller than an ' +
    'earlier one. It continues from the ordinal of the last line, so new turns may not be shown ' +
    'either. The model is still sent every line.',
  reads: INDEX_PLAN,
  check(report) {
    let last = -Infinity;
    return {
      line: visitOrdinals((line, ordinal) => {
        if (ordinal === undefined) return;
        if (ordinal <= last) {
          report(
            toPlace(line),
            `ordinal ${ordinal} comes after ${last}: Codex does not show the line`,
          );
        } else last = ordinal;
      }),
    };
  },
};

/** Ordinals that are left out. */
export const ordinalGap: Rule = {
  id: 'ordinal-gap',
  level: 'info',
  fixable: false,
  summary: 'ordinals that no line of a rollout of Codex has',
  help: 'Lines were removed, or could not be read. Codex continues after a gap. Nothing to repair.',
  reads: INDEX_PLAN,
  check(report) {
    let last: number | undefined;
    return {
      line: visitOrdinals((line, ordinal) => {
        if (ordinal === undefined) return;
        if (last !== undefined && ordinal > last + 1) {
          const [from, to] = [last + 1, ordinal - 1];
          const what = from === to ? `ordinal ${from} is` : `ordinals from ${from} to ${to} are`;
          report(toPlace(line), `${what} missing`);
        }
        last = Math.max(ordinal, last ?? ordinal);
      }),
    };
  },
};
