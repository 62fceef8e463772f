import type { Rule } from '../../../dialect/rule.ts';
import { type JsonObject, toIso } from '../../../jsonl/edit/json.ts';
import type { Entry } from '../../../model/entry.ts';
import { quote } from '../../../rules/wording.ts';
import { checkRelations } from '../../../rules/relations.ts';
import { keepLater } from './keep-later.ts';
import { LEAF_TYPE } from '../fork/plan-in-place.ts';
import { findToolUses } from './tool-uses.ts';
import { withoutFix } from '../../../rules/place.ts';

/** Says nothing to the model, and that the session continues here. */
function toLeaf({ id, parentId, time }: Entry): JsonObject {
  const timestamp = toIso(time);
  return { type: 'custom', id: id ?? null, parentId, timestamp, customType: LEAF_TYPE };
}

/** A tool result in the current context, without the call it answers. */
export const toolResultOrphan: Rule = {
  id: 'tool-result-orphan',
  level: 'error',
  fixable: true,
  takesOutEntries: { toLeaf, keepLater },
  summary: 'a tool result in the current context without its call right before it',
  help:
    'Providers refuse a request with a result that answers no call, so the session fails on every ' +
    'message from here on. The call was lost, its answer was cut off with an error, or a ' +
    'compaction cuts it off. Or another message came before the result, and pi had already ' +
    'reported to the model that there is none. `--fix` moves the result, with its labels and ' +
    'edits, to the `.rejected` file, and attaches its children to the entry before it. If another ' +
    'branch has the call, only the compaction changes: it keeps the entries after the result. ' +
    'With `--all-branches`, `--fix` checks every branch.',
  collect: findToolUses,
  check(report, file) {
    const uses = findToolUses(file);
    return {
      session: checkRelations((checked) => {
        const { contexts, getAllContexts } = checked;
        const { entries: keptLater } = keepLater(checked);
        for (const { callId, entry, fault } of uses.findUnpaired(contexts).results) {
          const isNeeded = !keptLater.has(entry) && uses.isPairedIn(getAllContexts(), entry);
          report(
            isNeeded ? withoutFix(entry) : entry,
            `the model refuses this session: a result of the call ${quote(callId)}, ${fault}`,
          );
        }
      }),
    };
  },
};
