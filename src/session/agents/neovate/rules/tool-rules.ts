import type { Check, CheckedSession, FileFacts, Rule } from '../../../dialect/rule.ts';
import { checkRelations } from '../../../rules/relations.ts';
import { quote } from '../../../rules/wording.ts';
import { findToolPairs, type ToolPairs } from './tool-pairs.ts';
import { formatNumber } from '../../../model/text/numbers.ts';
import { withoutFix } from '../../../rules/place.ts';

/** A call that was never answered. */
export const toolUseOpen: Rule = {
  id: 'tool-use-open',
  level: 'warning',
  fixable: false,
  summary: 'a tool call on the current Neovate path without a result',
  help:
    'The user refused the call or one before it, the turn was canceled, or the agent was killed. ' +
    'Newer releases add a result when they send the messages; others get an error from providers ' +
    'that require a result for every call.',
  collect: findToolPairs,
  check: (report, file) =>
    checkPairs(file, (pairs, checked) => {
      for (const { id, name, entry } of pairs.findUnpaired(checked).open) {
        report(entry, `the call ${quote(id)} of ${quote(name)} has no result`);
      }
    }),
};

/** A call whose result the model does not see. */
export const toolResultBeside: Rule = {
  id: 'tool-result-beside',
  level: 'warning',
  fixable: false,
  summary: 'a tool call whose result is beside the current Neovate path',
  help:
    'When a turn is canceled, Neovate writes a line for each tool that was running, each of them ' +
    'a child of the call. Only the last is on the path, and the model never sees the others. To ' +
    'bring them back, make each the child of the one before it, by its `parentUuid`.',
  collect: findToolPairs,
  check: (report, file) =>
    checkPairs(file, (pairs, checked) => {
      for (const { id, name, entry, line } of pairs.findUnpaired(checked).beside) {
        const where = `on line ${formatNumber(line)}, beside the path`;
        report(entry, `the result of ${quote(name)} (${quote(id)}) is ${where}`);
      }
    }),
};

/** A result of nothing. */
export const toolResultStray: Rule = {
  id: 'tool-result-stray',
  level: 'warning',
  fixable: true,
  takesOutEntries: {},
  summary: 'a tool result on the current Neovate path without its call before it',
  help:
    'The call is on another branch, above a missing parent, or was edited away. Providers refuse ' +
    'a result of a call that they never made, so the next prompt may fail. Find out what cuts the ' +
    'path off. If the line holds nothing else and no other branch has the call, `--fix` moves the ' +
    'line to the `.rejected` file, and attaches its children to the message before it.',
  collect: findToolPairs,
  check: (report, file) =>
    checkPairs(file, (pairs, checked) => {
      for (const { id, entry, isAlone } of pairs.findUnpaired(checked).stray) {
        const isFixable = isAlone && !pairs.isPaired(checked, entry);
        report(
          isFixable ? entry : withoutFix(entry),
          `the model may refuse this session: the result of ${quote(id)} has no call before it`,
        );
      }
    }),
};

function checkPairs(
  file: FileFacts,
  check: (pairs: ToolPairs, checked: CheckedSession) => void,
): Check {
  const pairs = findToolPairs(file);
  return { session: checkRelations((checked) => check(pairs, checked)) };
}
