import { getString, isArray, isObject, type JsonObject } from '../../../jsonl/edit/json.ts';
import { toPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { isV1Entry, isWithoutPlace } from '../format.ts';
import { checkEntries, NO_VERSION } from './entry-lines.ts';
import {
  boolean,
  type FieldCheck,
  type Fields,
  findFaults,
  number,
  object,
  optional,
  text,
  toFields,
} from '../../../rules/field-checks.ts';
import { content, id, usage } from './pi-fields.ts';

const replacement: FieldCheck = (value) => {
  if (value === null) return undefined;
  if (!isObject(value)) return value === undefined ? 'is missing' : 'is neither null nor an object';
  const replaced = value['content'];
  return typeof replaced === 'string' || isArray(replaced) ? undefined : 'has no content';
};

/** A level; in oh-my-pi null while none is chosen. */
const thinkingLevel: FieldCheck = (value) => (value === null ? undefined : text(value));

/** oh-my-pi names a model by one text: `<provider>/<model>`. */
const OWN_MODEL = toFields({ model: text, role: optional(text) });

const FIELDS: ReadonlyMap<string, Fields> = new Map([
  ['message', toFields({ message: object })],
  ['model_change', toFields({ provider: text, modelId: text })],
  ['thinking_level_change', toFields({ thinkingLevel })],
  [
    'compaction',
    toFields({
      summary: text,
      firstKeptEntryId: optional(text),
      firstKeptEntryIndex: optional(number),
      tokensBefore: number,
      usage: optional(usage),
      fromHook: optional(boolean),
      systemMessage: optional(object),
    }),
  ],
  [
    'branch_summary',
    toFields({ fromId: text, summary: text, usage: optional(usage), fromHook: optional(boolean) }),
  ],
  ['custom', toFields({ customType: text })],
  ['custom_message', toFields({ customType: text, content, display: boolean })],
  ['label', toFields({ targetId: text, label: optional(text) })],
  ['session_info', toFields({ name: optional(text) })],
  ['usage', toFields({ kind: text, provider: text, model: text, usage, note: optional(text) })],
  ['context_edit', toFields({ targetId: text, replacement })],
]);

/** Returns whether the key is there at all is another rule's. */
const parentId: FieldCheck = (value) => optional(text)(value) && 'is neither a string nor null';
const WITH_PLACE = toFields({ id, parentId });

/** An entry that lacks what its type must have, or has it in another type. */
export const entryShape: Rule = {
  id: 'entry-shape',
  level: 'error',
  fixable: false,
  summary: 'an entry with a required field missing or of the wrong type',
  help:
    'pi reads entries without checking them. A missing field causes an error later: a message ' +
    'without its `message`, or a name that is not a string, makes the session unusable or removes ' +
    'it from the list, and an entry without an id cuts off everything after it. Repair the field ' +
    'in an editor.',
  check(report, { framing }) {
    let isOld = true;
    return {
      line: checkEntries(framing, (entry, line, version) => {
        isOld &&= isWithoutPlace(entry);
        const hasPlace = version > 1 && !(isOld && isV1Entry(entry));
        const faults = findEntryFaults(entry, hasPlace ? WITH_PLACE : [], version);
        if (faults) report(toPlace(line, entry), faults);
      }),
    };
  },
};

function findEntryFaults(entry: JsonObject, common: Fields, version: number): string | undefined {
  const type = getString(entry, 'type');
  if (version === NO_VERSION) {
    return type === 'message' && !isObject(entry['message'])
      ? 'message is not an object'
      : undefined;
  }
  if (type === undefined) return `entry: type ${text(entry['type'])}`;
  const faults = findFaults(entry, common);
  const isNamed = type === 'model_change' && 'model' in entry;
  const own = findFaults(entry, isNamed ? OWN_MODEL : (FIELDS.get(type) ?? []));
  if (!faults && !own) return undefined;
  return `${quote(type)}: ${[faults, own].filter(Boolean).join(', ')}`;
}
