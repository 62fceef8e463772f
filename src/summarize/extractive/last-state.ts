import { getActions, getCommand, getPath, hasFailed, toPlainCommand } from './actions.ts';
import { recency } from './requests.ts';
import type { Item } from './sections.ts';
import { shorten } from '../../session/model/text/cut-text.ts';
import { quote } from './text.ts';
import type { Action, Turn } from './turns.ts';

/** Commands whose outcome says how things stand. */
const CHECK =
  /\b(?:test|tests|check|lint|build|compile|tsc|vitest|jest|pytest|cargo|make|mypy|ruff|typecheck|verify)\b/;
const BRANCH = /\bgit (?:checkout -b|switch -c|checkout|switch)\s+([\w./-]+)\s*$/;
const MODIFYING: ReadonlySet<string> = new Set(['write', 'edit', 'multiedit', 'apply_patch']);
const MAX_FILES = 10;
const MAX_CHECKS = 6;

/** Finds the last words: the state in the assistant's own words. */
export function findLastWords(turns: readonly Turn[]): readonly Item[] {
  const said = turns.findLast((turn) => turn.said.length > 0)?.said.at(-1);
  if (said === undefined) return [];
  return [
    { section: 'context', text: `Last said by the assistant: ${shorten(said, 700)}`, weight: 78 },
  ];
}

/** Finds the last result of each check. */
export function findChecks(turns: readonly Turn[]): readonly Item[] {
  const latest = new Map<string, Action>();
  for (const action of getActions(turns)) {
    const command = getCommand(action);
    if (command === undefined || action.result === undefined) continue;
    const plain = toPlainCommand(command);
    if (!CHECK.test(plain)) continue;
    latest.delete(plain);
    latest.set(plain, action);
  }
  const shown = [...latest].slice(-MAX_CHECKS);
  return shown.map(([command, action], index) => ({
    section: 'context',
    text: `${quote(command)}: ${hasFailed(action) ? 'failed' : 'passed'} when last run`,
    weight: 48 + recency(index, shown.length) * 10,
  }));
}

/** The files with the most changes, and how many. */
export function findFiles(turns: readonly Turn[]): readonly Item[] {
  const counts = new Map<string, number>();
  for (const action of getActions(turns)) {
    const path = getPath(action);
    if (path === undefined || !MODIFYING.has(action.call.name.toLowerCase())) continue;
    if (!hasFailed(action)) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  if (counts.size === 0) return [];
  const most = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, MAX_FILES);
  const files = most.map(([path, count]) => `${quote(shorten(path, 160))} (${count})`);
  const text = `Files changed most, with the number of changes: ${files.join(', ')}`;
  return [{ section: 'context', text, weight: 58 }];
}

/** The branch that was last switched to. */
export function findBranch(turns: readonly Turn[]): readonly Item[] {
  const branches = getActions(turns).flatMap((action) => {
    const [, name] = BRANCH.exec(toPlainCommand(getCommand(action) ?? '')) ?? [];
    return name === undefined || hasFailed(action) ? [] : [name];
  });
  const last = branches.at(-1);
  return last === undefined
    ? []
    : [{ section: 'context', text: `Git branch switched to: ${quote(last)}`, weight: 56 }];
}
