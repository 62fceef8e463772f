import { getString } from '../../../jsonl/edit/json.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { CURRENT_VERSION, getVersion, isHeader } from '../format.ts';
import { takeOutLater } from '../../../rules/take-out-later.ts';
import { toPlace } from '../../../rules/place.ts';

/** A second header: a known defect of old releases. */
export const headerDuplicate: Rule = {
  id: 'header-duplicate',
  level: 'warning',
  fixable: true,
  summary: 'a second header',
  help:
    'Old releases of pi wrote the header once more when a session was forked before its first ' +
    'answer. The first header counts. pi and coppice ignore the others; other readers may not. ' +
    '`--fix` moves them to the `.rejected` file.',
  check(report, { framing }) {
    let version: number | undefined;
    return {
      line(line, content) {
        if (content.kind !== 'object' || !isHeader(content.value)) return;
        if (version === undefined) version = getVersion(content.value, framing);
        else if (version <= CURRENT_VERSION) {
          const id = getString(content.value, 'id') ?? '';
          report(toPlace(line), `a second header, with the id ${quote(id)}`);
        }
      },
    };
  },
  takesOut: takeOutLater(isHeader),
};
