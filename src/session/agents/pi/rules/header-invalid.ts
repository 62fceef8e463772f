import { type JsonObject, toTime } from '../../../jsonl/edit/json.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { getVersion, isHeader } from '../format.ts';
import { checkHeader } from './entry-lines.ts';
import {
  type FieldCheck,
  type Fields,
  findFaults,
  number,
  optional,
  text,
  toFields,
} from '../../../rules/field-checks.ts';
import { toPlace } from '../../../rules/place.ts';
import { id } from './pi-fields.ts';

const time: FieldCheck = (value) =>
  text(value) ?? (Number.isNaN(toTime(value)) ? 'is not a time' : undefined);

const FIELDS = toFields({ id, timestamp: time, cwd: text, parentSession: optional(text) });

const FIELDS_OF_V1 = toFields({
  version: optional(number),
  id,
  timestamp: time,
  // The first releases wrote none; pi reads it as empty.
  cwd: optional(text),
  parentSession: optional(text),
  branchedFrom: optional(text),
});

const FIELDS_OF_ARRAY = toFields({ id });

/** A header that does not say what it must. */
export const headerInvalid: Rule = {
  id: 'header-invalid',
  level: 'error',
  fixable: false,
  summary: 'a header with a field missing or of the wrong type',
  help:
    'Without an id, pi does not open the session. Without a `cwd`, pi cannot know its project, ' +
    'and without a time, pi cannot sort it. Repair the line in an editor: the name of the file ' +
    'holds the time and the id, and the directory hints at the `cwd`.',
  check: (report, { framing }) => ({
    line: checkHeader((header, line) => {
      if (!isHeader(header)) return;
      const fields = framing === 'array' ? FIELDS_OF_ARRAY : getFields(header);
      const faults = findFaults(header, fields);
      if (faults) report(toPlace(line), `the header is invalid: ${faults}`);
    }),
  }),
};

function getFields(header: JsonObject): Fields {
  return getVersion(header, 'lines') < 2 ? FIELDS_OF_V1 : FIELDS;
}
