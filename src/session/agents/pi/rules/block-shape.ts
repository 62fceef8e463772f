import {
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../jsonl/edit/json.ts';
import { toPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { getMessage } from '../format.ts';
import { checkEntries, NO_VERSION } from './entry-lines.ts';
import { type Fields, findFaults, object, text, toFields } from '../../../rules/field-checks.ts';
import { formatCounted } from '../../../model/text/numbers.ts';

const FIELDS: ReadonlyMap<string, Fields> = new Map([
  ['text', toFields({ text })],
  ['image', toFields({ data: text, mimeType: text })],
  ['thinking', toFields({ thinking: text })],
  ['toolCall', toFields({ id: text, name: text, arguments: object })],
]);

/** A block of content that lacks what its type must have. */
export const blockShape: Rule = {
  id: 'block-shape',
  level: 'error',
  fixable: false,
  summary: 'a content block with a required field missing or of the wrong type',
  help:
    'pi does not check blocks: a tool call whose `arguments` are null crashes its tree view, and ' +
    'a text block without text crashes the counting of tokens. Repair the block in an editor ' +
    '(`"arguments": {}`). Blocks of unknown types are not checked.',
  check: (report, { framing }) => ({
    line: checkEntries(framing, (entry, line, version) => {
      const content = version === NO_VERSION ? undefined : getContent(entry);
      const faults = isArray(content) ? findBlockFaults(content) : undefined;
      if (faults) report(toPlace(line, entry), faults);
    }),
  }),
};

function getContent(entry: JsonObject): JsonValue | undefined {
  switch (entry['type']) {
    case 'message':
      return getMessage(entry)?.['content'];
    case 'custom_message':
      return entry['content'];
    case 'context_edit':
      return getObject(entry, 'replacement')?.['content'];
    default:
      return undefined;
  }
}

/** The first block that is wrong, and how many more there are. */
function findBlockFaults(blocks: readonly JsonValue[]): string | undefined {
  let first: string | undefined;
  let count = 0;
  for (const [index, block] of blocks.entries()) {
    const fault = findBlockFault(block);
    if (fault === undefined) continue;
    count += 1;
    first ??= `block ${index + 1}: ${fault}`;
  }
  return count > 1 ? `${first}; ${formatCounted(count - 1, 'more block')} like it` : first;
}

function findBlockFault(block: JsonValue): string | undefined {
  if (!isObject(block)) return 'is not an object';
  const type = getString(block, 'type');
  if (type === undefined) return `type ${text(block['type'])}`;
  const faults = findFaults(block, FIELDS.get(type) ?? []);
  return faults && `${type}: ${faults}`;
}
