import type { CheckedSession, LineChange, Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { findLinks, type Orphan } from './links.ts';
import { checkTree, type CheckedClaudeCodeSession, isClaudeCode } from './node-lines.ts';
import { formatNumber, formatCounted } from '../../../model/text/numbers.ts';
import { describeCycle } from '../../../rules/cycles.ts';
import { withoutFix } from '../../../rules/place.ts';

/** A parent that is not in the file, and nothing near enough to stand in for it. */
export const nodeOrphan: Rule = {
  id: 'node-orphan',
  level: 'error',
  fixable: true,
  summary: 'a line of Claude Code without its parent: everything before it is lost on resume',
  help:
    'The parent is not in the file: its line was lost or cannot be read. Claude Code attaches ' +
    'such an entry to the one before it in time, if that is at most five seconds older. Here none ' +
    'is: the conversation begins with this entry, and the model never sees what came before. ' +
    '`--fix` makes the entry before it in the file its parent, if no message is lost by that.',
  changeLines: (checked) => changeLinks(checked, ({ bridge }) => !bridge),
  check: (report) => ({
    session: checkTree((checked) => {
      for (const { entry, parentId, bridge, standIn } of findLinks(checked).orphans) {
        if (bridge) continue;
        const lost = checked.path.includes(entry) ? describeLost(checked, entry) : '';
        report(
          standIn ? entry : withoutFix(entry),
          `parent ${quote(parentId)} is not in the file${lost}`,
        );
      }
    }),
  }),
};

/** Writes down for each orphan what it is attached to. */
function changeLinks(
  checked: CheckedSession,
  isChanged: (orphan: Orphan) => boolean,
): readonly LineChange[] {
  if (!isClaudeCode(checked)) return [];
  return findLinks(checked).orphans.flatMap((orphan) => {
    const { entry, standIn } = orphan;
    if (!standIn || !isChanged(orphan)) return [];
    const edit = { key: 'parentUuid', value: JSON.stringify(standIn.id) };
    return [{ offset: entry.offset, edits: [edit] }];
  });
}

/** Returns how many entries the conversation would have without the gap. */
function describeLost(
  { session, path }: CheckedClaudeCodeSession,
  orphan: Orphan['entry'],
): string {
  const onPath = new Set(path);
  const nodes = session.entries.filter(({ aside, isSidechain }) => !aside && !isSidechain);
  const lost = nodes.filter((entry) => entry.offset < orphan.offset && !onPath.has(entry)).length;
  return lost === 0 ? '' : `: ${countEntries(lost, nodes.length)} cut off`;
}

/** `1 entry is`, `4 of 6 entries are`. */
function countEntries(count: number, all?: number): string {
  const verb = count === 1 ? 'is' : 'are';
  if (all === undefined) return `${formatCounted(count, 'entry', 'entries')} ${verb}`;
  return `${formatNumber(count)} of ${formatNumber(all)} entries ${verb}`;
}

/** A parent that is not in the file, and another entry in its place for now. */
export const nodeBridged: Rule = {
  id: 'node-bridged',
  level: 'warning',
  fixable: true,
  summary: 'a line of Claude Code without its parent, attached to another for now',
  help:
    'The parent is not in the file. Claude Code since 2.1.133 attaches the entry to the one ' +
    'before it in time, because that is at most five seconds older; earlier releases lose ' +
    'everything that came before. A later release may lose it, too, if the rule or a time ' +
    'changes. `--fix` writes that entry down as the parent, which does not change what the model ' +
    'is sent.',
  changeLines: (checked) => changeLinks(checked, ({ bridge }) => bridge !== undefined),
  check: (report) => ({
    session: checkTree((checked) => {
      for (const { entry, parentId, bridge } of findLinks(checked).orphans) {
        if (!bridge) continue;
        const where = `attached to line ${formatNumber(bridge.line)} by its time`;
        const above = checked.path.indexOf(entry);
        const old = above > 0 ? `; for releases up to 2.1.90, ${countEntries(above)} cut off` : '';
        report(entry, `parent ${quote(parentId)} is not in the file: ${where}${old}`);
      }
    }),
  }),
};

/** Entries that are their own ancestors. */
export const nodeCycle: Rule = {
  id: 'node-cycle',
  level: 'error',
  fixable: false,
  summary: 'lines of Claude Code that are their own ancestors',
  help:
    'No release writes this; a wrong edit or a repeated uuid does. Claude Code 2.1.332 cuts the ' +
    'cycle and treats its first entry as one whose parent is missing; 2.0.56 hangs forever. Give ' +
    'one of the entries another `parentUuid`: usually that of the entry before it in the file.',
  check: (report) => ({
    session: checkTree((checked) => {
      for (const cycle of findLinks(checked).cycles) {
        const { first, what } = describeCycle(cycle);
        report(first, what);
      }
    }),
  }),
};
