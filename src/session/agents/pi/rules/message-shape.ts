import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { toPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { getMessage } from '../format.ts';
import { checkEntries, NO_VERSION } from './entry-lines.ts';
import {
  array,
  boolean,
  type Fields,
  findFaults,
  number,
  object,
  optional,
  text,
  toFields,
} from '../../../rules/field-checks.ts';
import { blocks, content, givenContent, usage } from './pi-fields.ts';

/** Sessions without it are common, and pi falls back to the time of the entry. */
const timestamp = optional(number);
/** pi fails to compact a session with one that has no content. */
const custom = toFields({ customType: text, content: givenContent, display: boolean, timestamp });

/** That the content of other roles is there at all is another rule's. */
const FIELDS: ReadonlyMap<string, Fields> = new Map([
  [
    'system',
    toFields({
      content,
      sections: optional(object),
      toolsAdded: optional(array),
      toolsRemoved: optional(array),
      timestamp,
    }),
  ],
  ['user', toFields({ content, timestamp })],
  [
    'assistant',
    toFields({
      content: blocks,
      api: text,
      provider: text,
      model: text,
      usage,
      stopReason: text,
      errorMessage: optional(text),
      timestamp,
    }),
  ],
  [
    'toolResult',
    toFields({
      toolCallId: text,
      toolName: text,
      content: blocks,
      isError: boolean,
      usage: optional(usage),
      timestamp,
    }),
  ],
  [
    'bashExecution',
    toFields({
      command: text,
      output: text,
      exitCode: optional(number),
      cancelled: boolean,
      truncated: boolean,
      fullOutputPath: optional(text),
      excludeFromContext: optional(boolean),
      timestamp,
    }),
  ],
  ['custom', custom],
  ['hookMessage', custom],
  ['branchSummary', toFields({ summary: text, timestamp })],
  ['compactionSummary', toFields({ summary: text, tokensBefore: number, timestamp })],
]);

/** Roles that oh-my-pi adds (`AgentMessage` of 18.3.4). */
const RELATIVE_ROLES: ReadonlySet<string> = new Set([
  'developer',
  'fileMention',
  'pythonExecution',
]);

export function isKnownRole(role: string): boolean {
  return FIELDS.has(role) || RELATIVE_ROLES.has(role);
}

/** A message that lacks what its role must have, or has it in another type. */
export const messageShape: Rule = {
  id: 'message-shape',
  level: 'error',
  fixable: false,
  summary: 'a message with a required field missing or of the wrong type',
  help:
    'pi does not check messages: the request to the model, the token counts or the display fail ' +
    'on a missing field. Repair the field in an editor; exporters of other tools often leave out ' +
    '`api`, `usage` or `stopReason`.',
  check: (report, { framing }) => ({
    line: checkEntries(framing, (entry, line, version) => {
      const message = getMessage(entry);
      const faults = message && version !== NO_VERSION ? findMessageFaults(message) : undefined;
      if (faults) report(toPlace(line, entry), faults);
    }),
  }),
};

function findMessageFaults(message: JsonObject): string | undefined {
  const role = getString(message, 'role');
  if (role === undefined) return `message: role ${text(message['role'])}`;
  const faults = findFaults(message, FIELDS.get(role) ?? []);
  return faults && `${role} message: ${faults}`;
}
