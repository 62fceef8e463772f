import type { Rule } from '../../../dialect/rule.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { toPlace } from '../../../rules/place.ts';
import { writesHalfPair } from '../entry/fields/half-pairs.ts';
import { findLineFault, LINE_FIELDS } from '../entry/fields/line-fields.ts';
import { isBareState, isItemType, isLineType } from '../format.ts';

/** A line that Codex skips, although it parses. */
export const rolloutLineFields: Rule = {
  id: 'rollout-line-fields',
  level: 'error',
  fixable: false,
  summary: 'a line of a rollout of Codex with a field missing or of the wrong type',
  help:
    'Codex skips a whole line if it parses and one of its fields is missing or of another type: ' +
    'the model does not get the item, the user does not see the event, and settings do not hold. ' +
    'Values that only some releases know pass. No release writes such ' +
    'a line: it was edited by hand, or another program wrote it. Correct it in an editor.',
  reads: LINE_FIELDS,
  check(report) {
    let hasEnvelopes = false;
    return {
      line(line, content) {
        if (content.kind !== 'object') return;
        const { value } = content;
        hasEnvelopes ||= 'payload' in value;
        const fault = hasPayload(value)
          ? findFault(line, value)
          : hasEnvelopes && findBareFault(value);
        if (typeof fault === 'string') report(toPlace(line), `${fault}: Codex skips the line`);
      },
    };
  },
};

function findFault(line: Line, value: JsonObject): string | undefined {
  return findLineFault(value) ?? (writesHalfPair(line) ? 'half of a surrogate pair' : undefined);
}

/** Returns the fault of a line without a payload, in a file whose lines have envelopes. */
function findBareFault(value: JsonObject): string | undefined {
  if (isItemType(value['type'])) return 'an item without envelope';
  return 'type' in value || isBareState(value) ? undefined : 'type is missing';
}

/** Returns whether an object has an envelope, complete or not. */
function hasPayload(value: JsonObject): boolean {
  return 'payload' in value || isLineType(getString(value, 'type') ?? '');
}
