import { isArray, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { checkMessages } from './message-lines.ts';
import { toUuidPlace } from '../../../rules/place.ts';

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'tool', 'system']);

/** The fields that give a message its place, and let it be sent. */
export const messageFields: Rule = {
  id: 'message-fields',
  level: 'error',
  fixable: false,
  summary: 'a Neovate message with a field missing or of the wrong type',
  help:
    'Without a uuid, nothing can follow a message. With a role or content that Neovate does not ' +
    'know, the session loads, but every further prompt fails when Neovate prepares the messages ' +
    'for the model. The agent never writes such a line: it was edited by hand, or another program ' +
    'wrote it. Repair it in an editor.',
  check: (report) => ({
    line: checkMessages((message, line) => {
      const fault = findFault(message);
      if (fault !== undefined) report(toUuidPlace(line, message), fault);
    }),
  }),
};

function findFault(message: JsonObject): string | undefined {
  const { uuid, parentUuid, role, content } = message;
  if (typeof uuid !== 'string' || uuid === '') return 'has no uuid';
  if (parentUuid !== undefined && parentUuid !== null && typeof parentUuid !== 'string') {
    return 'parentUuid is neither a string nor null';
  }
  if (!ROLES.has(role)) return 'has no role that Neovate knows';
  if (role === 'tool') return isArray(content) ? undefined : 'content is not an array';
  const isContent = typeof content === 'string' || isArray(content);
  return isContent ? undefined : 'content is neither a string nor an array';
}
