import { type JsonObject, toIso } from '../../../jsonl/edit/json.ts';
import type { MemberEdit } from '../../../jsonl/edit/splice.ts';
import { toPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { isAnyHeader } from '../format.ts';
import { checkEntries } from './entry-lines.ts';

/** An entry whose time is the number that other tools write, and older arrays have. */
export const entryTimeNumber: Rule = {
  id: 'entry-time-number',
  level: 'error',
  fixable: true,
  summary: 'an entry whose timestamp is a number',
  help:
    'Times of entries are ISO 8601. pi shows the session, but code that compares or cuts its ' +
    'times as text fails on a number. `--fix` writes the same moment as text.',
  check: (report, { framing }) => ({
    line: checkEntries(framing, (entry, line) => {
      if (framing === 'array' || typeof entry['timestamp'] !== 'number') return;
      const fixable = toText(entry) === undefined ? false : undefined;
      report({ ...toPlace(line, entry), fixable }, 'the timestamp is a number, not ISO 8601');
    }),
  }),
  changeRecord(record): readonly MemberEdit[] {
    const value = isAnyHeader(record) ? undefined : toText(record);
    return value === undefined ? [] : [{ key: 'timestamp', value: JSON.stringify(value) }];
  },
};

/** Returns the same moment as text; undefined if that would be another one. */
function toText({ timestamp }: JsonObject): string | undefined {
  return typeof timestamp === 'number' && Number.isInteger(timestamp)
    ? toIso(timestamp)
    : undefined;
}
