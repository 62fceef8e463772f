import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { Members } from '../../../jsonl/scanner/plan.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { Check, CheckedSession } from '../../../dialect/rule.ts';
import type { ClaudeCodeSession } from '../index/index-session.ts';
import { readObject } from '../index/read-object.ts';
import { remember } from '../../../rules/remember.ts';
import { isNode } from '../format.ts';

/** The members that show whether a line has a place in the tree, and by which to name it. */
export const NODE: Members = { type: 'whole', uuid: 'whole' };

/** The members of a message: the types of its blocks. */
export const BLOCKS: Members = { ...NODE, message: { content: { type: 'whole' } } };

type VisitValue = (value: JsonObject, line: Line, content: LineContent) => void;

/** Visits every line that has a place in the tree. */
export function checkNodes(visit: VisitValue): NonNullable<Check['line']> {
  return checkLines((value, line, content) => {
    if (isNode(value)) visit(value, line, content);
  });
}

/** Visits every line of which the client reads an object. */
export function checkLines(visit: VisitValue): NonNullable<Check['line']> {
  return (line, content) => {
    const value = content.kind === 'object' ? content.value : readDamaged(content, line);
    if (value) visit(value, line, content);
  };
}

const readDamaged = remember(
  (content: LineContent, line: Line) => readObject(line, content)?.value,
);

export interface CheckedClaudeCodeSession extends CheckedSession {
  readonly session: ClaudeCodeSession;
}

/** Runs a check of how the entries of a session relate. */
export function checkTree(
  check: (checked: CheckedClaudeCodeSession) => void,
): NonNullable<Check['session']> {
  return (checked) => {
    if (isClaudeCode(checked)) check(checked);
  };
}

/** Returns whether a session was made by this agent's indexer, as rules of this agent need. */
export function isClaudeCode(checked: CheckedSession): checked is CheckedClaudeCodeSession {
  return checked.session.agent === 'claude-code';
}
