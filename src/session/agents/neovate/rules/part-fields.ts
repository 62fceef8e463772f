import {
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../jsonl/edit/json.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { checkMessages } from './message-lines.ts';
import { toUuidPlace } from '../../../rules/place.ts';

type Part = readonly [strings: readonly string[], objects: readonly string[]];

/** The required fields of each part, by the role of its message; 0.17.1. */
const PARTS: ReadonlyMap<string, ReadonlyMap<string, Part>> = new Map([
  [
    'user',
    new Map<string, Part>([
      ['text', [['text'], []]],
      ['image', [['data'], []]],
      ['tool_result', [['id', 'name'], ['result']]],
    ]),
  ],
  [
    'assistant',
    new Map<string, Part>([
      ['text', [['text'], []]],
      ['reasoning', [['text'], []]],
      ['tool_use', [['id', 'name'], ['input']]],
    ]),
  ],
  ['tool', new Map<string, Part>([['tool-result', [['toolCallId', 'toolName'], ['result']]]])],
]);

/** Parts that load, but cannot be sent. */
export const partFields: Rule = {
  id: 'part-fields',
  level: 'error',
  fixable: false,
  summary: 'a part of a Neovate message of an unknown type, or with a field missing',
  help:
    'The session loads, but every further prompt on this branch fails when Neovate prepares the ' +
    'messages for the model. A message of the user holds text, images and (before 0.15) ' +
    '`tool_result`; one of the assistant holds text, reasoning and `tool_use`; one of the role ' +
    '`tool` holds `tool-result`. Repair the part in an editor.',
  check: (report) => ({
    line: checkMessages((message, line) => {
      const known = PARTS.get(getString(message, 'role') ?? '');
      const { content } = message;
      if (!known || !isArray(content)) return;
      for (const [index, part] of content.entries()) {
        const fault = findFault(part, known);
        if (fault !== undefined) {
          report(toUuidPlace(line, message), `part ${index + 1} ${fault}`);
          return;
        }
      }
    }),
  }),
};

function findFault(part: JsonValue, known: ReadonlyMap<string, Part>): string | undefined {
  if (!isObject(part)) return 'is not an object';
  const type = getString(part, 'type');
  if (type === undefined) return 'has no type';
  const needs = known.get(type);
  if (!needs) return `is of the type ${quote(type)}, which this role has not`;
  const missing = findMissing(part, needs);
  return missing && `of the type ${quote(type)} has no ${missing}`;
}

function findMissing(part: JsonObject, [strings, objects]: Part): string | undefined {
  return (
    strings.find((key) => typeof part[key] !== 'string') ??
    objects.find((key) => !isObject(part[key]))
  );
}
