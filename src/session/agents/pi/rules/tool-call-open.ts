import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { checkRelations } from '../../../rules/relations.ts';
import { findToolUses } from './tool-uses.ts';

/** A tool call in the current context that was never answered. */
export const toolCallOpen: Rule = {
  id: 'tool-call-open',
  level: 'warning',
  fixable: false,
  summary: 'a tool call in the current context without a result',
  help:
    'The session was stopped while the tool ran, or the result was lost. pi reports to the model ' +
    'that no result was provided, and continues; programs that pass the messages to a provider ' +
    'unchanged get an error. Calls of aborted and failed messages are never sent, and do not ' +
    'count.',
  collect: findToolUses,
  check(report, file) {
    const uses = findToolUses(file);
    return {
      session: checkRelations(({ contexts }) => {
        for (const { id, name, entry } of uses.findUnpaired(contexts).calls) {
          report(entry, `the call ${quote(id)} of ${quote(name)} has no result`);
        }
      }),
    };
  },
};
