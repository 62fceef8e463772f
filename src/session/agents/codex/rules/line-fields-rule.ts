import type { Rule } from '../../../dialect/rule.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { toPlace } from '../../../rules/place.ts';
import { writesHalfPair } from '../entry/fields/half-pairs.ts';
import { findLineFault, LINE_FIELDS } from '../entry/fields/line-fields.ts';
import { isItemType } from '../format.ts';

/** A line that Codex skips, although it parses. */
export const rolloutLineFields: Rule = {
  id: 'rollout-line-fields',
  level: 'error',
  fixable: false,
  summary: 'a line of a rollout of Codex with a field missing or of the wrong type',
  help:
    'Codex skips a whole line if it parses and one of its fields is missing or of another type: ' +
    'the model does not get the item, and the user does not see the event. No release writes such ' +
    'a line: it was edited by hand, or another program wrote it. Correct it in an editor.',
  reads: LINE_FIELDS,
  check(report) {
    let hasEnvelopes: boolean | undefined;
    return {
      line(line, content) {
        if (content.kind !== 'object') return;
        const { value } = content;
        hasEnvelopes ??= 'payload' in value;
        if (!hasEnvelopes) return;
        const fault = findFault(line, value);
        if (fault !== undefined) report(toPlace(line), `${fault}: Codex skips the line`);
      },
    };
  },
};

function findFault(line: Line, value: JsonObject): string | undefined {
  if (!hasPayload(value)) return isItemType(value['type']) ? 'an item without envelope' : undefined;
  return findLineFault(value) ?? (writesHalfPair(line) ? 'half of a surrogate pair' : undefined);
}

/** Returns whether an object has an envelope, complete or not. */
function hasPayload(value: JsonObject): boolean {
  return typeof value['type'] === 'string' && 'payload' in value;
}
