import type { Place, Rule } from '../../../dialect/rule.ts';
import type { Entry } from '../../../model/entry.ts';
import { findLeaves, getPath } from '../../../model/tree/tree.ts';
import { START_OF_FILE } from '../../../rules/place.ts';
import { type ClaudeCodeEntry, isLeafCandidate, isMessage } from '../entry/to-entry.ts';
import { readLeafRecord } from '../index/leaf/leaf-record.ts';
import { type CheckedClaudeCodeSession, checkTree } from './node-lines.ts';
import { formatNumber, formatCounted } from '../../../model/text/numbers.ts';

/** Nothing that could be continued with. */
export const conversationMissing: Rule = {
  id: 'conversation-missing',
  level: 'error',
  fixable: false,
  summary: 'a file of Claude Code without a conversation, which the agent does not open',
  help:
    'Claude Code answers "No conversation found" if it can read no entry of a conversation, ' +
    'or only those of a sub-agent. Look for damaged lines. If there never was a ' +
    'conversation, nothing is lost.',
  check: (report) => ({
    session: checkTree((checked) => {
      const { problem } = checked.session;
      if (problem?.code !== 'conversation-missing' || isTitleOnly(checked)) return;
      report(START_OF_FILE, 'holds no conversation: Claude Code does not open it');
    }),
  }),
};

/** A title of a session in another file. */
export const titleOnly: Rule = {
  id: 'title-only',
  level: 'info',
  fixable: false,
  summary: 'a file of Claude Code with nothing but the title of a session',
  help:
    'Old releases wrote the title of one session into the file of another, even if that file ' +
    'holds nothing else. It is not a session and cannot be opened, but it may be the only place ' +
    'where that title is recorded: keep it as long as you need the title.',
  check: (report) => ({
    session: checkTree((checked) => {
      if (isTitleOnly(checked)) report(START_OF_FILE, 'holds a title and no conversation');
    }),
  }),
};

function isTitleOnly({ session }: CheckedClaudeCodeSession): boolean {
  return session.entries.every(({ type }) => type === 'summary');
}

/** A leaf that keeps the session from being opened. */
export const leafSidechain: Rule = {
  id: 'leaf-sidechain',
  level: 'error',
  fixable: false,
  summary: 'a last-prompt that names a line of a sub-agent: Claude Code does not open the session',
  help:
    'The `last-prompt` line names the entry from which the conversation continues. Here it names ' +
    'one of a sub-agent (`isSidechain`), and Claude Code answers "No conversation found". To open ' +
    'the session again, remove the line, or name another entry in its `leafUuid`.',
  check: (report) => ({
    session: checkTree((checked) => {
      if (checked.session.problem?.code !== 'leaf-sidechain') return;
      report(findRecord(checked) ?? START_OF_FILE, 'names a line of a sub-agent as the leaf');
    }),
  }),
};

/** The session does not continue at the last entry. */
export const leafHides: Rule = {
  id: 'leaf-hides',
  level: 'warning',
  fixable: false,
  summary: 'newer messages of Claude Code that a recorded leaf hides',
  help:
    'The `last-prompt` line names the entry from which the conversation continues, and newer ' +
    'messages are on another branch: after a resume they are missing. That is right after a ' +
    'rewind, and wrong if the line is outdated. `coppice list <session> --entries` shows both ' +
    'branches; `coppice fork --in-place --at <entry> --apply` continues at the other end.',
  check: (report) => ({
    session: checkTree((checked) => {
      const { session, tree, path } = checked;
      const record = findRecord(checked);
      const tail = session.entries.findLast((entry) => isLeafCandidate(entry) && !entry.isUnloaded);
      if (!record || !tail || session.problem || path.includes(tail)) return;
      const seen = new Set(path);
      const hidden = getPath(tree, tail).filter((entry) => isMessage(entry) && !seen.has(entry));
      if (hidden.length === 0) return;
      const where = path.at(-1)
        ? `continues at line ${formatNumber(path.at(-1)?.line ?? 0)}`
        : 'is empty';
      const count = formatCounted(hidden.length, 'newer message');
      const verb = hidden.length === 1 ? 'is' : 'are';
      report(record, `${count} ${verb} hidden: by this line the conversation ${where}`);
    }),
  }),
};

/** Releases that choose by time. */
export const leafDiffers: Rule = {
  id: 'leaf-differs',
  level: 'info',
  fixable: false,
  summary: 'a session that older releases of Claude Code continue elsewhere',
  help:
    'Releases up to 2.1.90 do not read `last-prompt`: they continue from the newest leaf by its ' +
    'time, and end the path at a missing parent. 2.1.133 continues from the last line, even if ' +
    'that is not the end of a branch. For this session, that is another conversation than the one ' +
    'of 2.1.332, which coppice shows.',
  check: (report) => ({
    session: checkTree(({ session, tree, path }) => {
      const leaf = path.at(-1);
      if (!leaf || session.problem) return;
      const last = session.entries.findLast(isLeafCandidate);
      if (
        last &&
        last !== leaf &&
        !readLeafRecord(session.entries).isRecorded &&
        path.includes(last)
      ) {
        const line = formatNumber(last.line);
        report(leaf, `2.1.133 continues at line ${line} instead, the last of the file`);
      }
      const ends = findLeaves(tree).filter((entry: ClaudeCodeEntry) => isLeafCandidate(entry));
      const newest = findNewest(ends);
      if (!newest || path.includes(newest)) return;
      const way = getPath(tree, newest);
      // Notes of the client behind the leaf make no difference.
      if (way.includes(leaf) && !way.slice(way.indexOf(leaf) + 1).some(isMessage)) return;
      const line = formatNumber(newest.line);
      report(
        leaf,
        `releases up to 2.1.90 continue at line ${line} instead, the newest by its time`,
      );
    }),
  }),
};

function findNewest(entries: readonly Entry[]): Entry | undefined {
  let newest: Entry | undefined;
  for (const entry of entries) if (!newest || !(entry.time < newest.time)) newest = entry;
  return newest;
}

/** The line that says where the conversation continues. */
function findRecord({ session }: Pick<CheckedClaudeCodeSession, 'session'>): Place | undefined {
  const { id, isEmptied } = readLeafRecord(session.entries);
  if (id === undefined && !isEmptied) return undefined;
  return session.entries.findLast(
    ({ type, targetId, isPinned }) =>
      type === 'last-prompt' && (isEmptied ? isPinned : targetId === id),
  );
}
