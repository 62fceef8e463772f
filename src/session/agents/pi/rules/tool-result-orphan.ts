import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { checkEntries } from './entry-lines.ts';
import { checkRelations } from '../../../rules/relations.ts';
import { ToolUses } from './tool-uses.ts';

/** A tool result in the current context, without the call it answers. */
export const toolResultOrphan: Rule = {
  id: 'tool-result-orphan',
  level: 'error',
  fixable: false,
  summary: 'a tool result in the current context without its call before it',
  help:
    'Providers refuse a request with a result that answers no call, so the session fails on every ' +
    'message from here on. The call was lost, or lies before the first entry that a compaction ' +
    'keeps, or its message was aborted. Go back to an entry before the result (`/tree`), or fork ' +
    'there: `coppice fork --at`.',
  check(report, file) {
    const uses = ToolUses.of(file);
    return {
      line: checkEntries(file.framing, (entry, line) => uses.add(entry, line)),
      unparsed: (unparsed) => uses.addUnparsed(unparsed),
      session: checkRelations(({ context }) => {
        for (const { callId, entry } of uses.findUnpaired(context).results) {
          report(
            entry,
            `a result of the call ${quote(callId)}, which is not in the context before it`,
          );
        }
      }),
    };
  },
};
