import type { Rule } from '../../../dialect/rule.ts';
import { isArray, isObject, type JsonValue } from '../../../jsonl/edit/json.ts';
import { getMessage } from '../format.ts';
import { toUuidPlace } from '../../../rules/place.ts';
import { checkNodes, NODE } from './node-lines.ts';

/** A part of a message that cannot be sent. */
export const blockFields: Rule = {
  id: 'block-fields',
  level: 'error',
  fixable: false,
  summary: 'a block in a message of Claude Code without its type, or its text',
  help:
    'A message consists of blocks: objects with a `type`, and those of the type `text` with their ' +
    '`text`. Claude Code leaves any other one out, so the model never sees what it holds. A text ' +
    'of a user that is there and is not text keeps the session from being opened: "Failed to ' +
    'resume session". So does an answer that is a text, and not a list of blocks, with releases up ' +
    'to 2.1.133; later ones send it. No release writes such a block: correct it in an editor.',
  reads: { ...NODE, message: { content: { type: 'whole', text: 'start' } } },
  check: (report) => ({
    line: checkNodes((value, line) => {
      const content = getMessage(value)?.['content'];
      if (value['type'] === 'assistant' && typeof content === 'string') {
        report(toUuidPlace(line, value), UNLISTED);
      }
      if (!isArray(content)) return;
      const fault = content.map((block) => findFault(block)).find((one) => one !== undefined);
      if (fault !== undefined) report(toUuidPlace(line, value), fault);
    }),
  }),
};

const UNLISTED =
  'holds an answer that is a text and not a list of blocks: releases up to 2.1.133 do not open the session';

function findFault(block: JsonValue): string | undefined {
  if (!isObject(block) || typeof block['type'] !== 'string') return 'holds a block without a type';
  if (block['type'] !== 'text' || typeof block['text'] === 'string') return undefined;
  const isThere = (block['text'] ?? undefined) !== undefined;
  return isThere ? 'holds a text that is not text' : 'holds a block of text without text';
}
