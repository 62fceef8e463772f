import { basename } from 'node:path';
import { FileError } from '../../errors.ts';
import { dialects } from '../agents/index.ts';
import type { Problem } from '../model/summary.ts';

/** A file that is not a session. */
export interface NoSession {
  readonly kind: 'foreign' | 'empty';
  readonly problem: Problem;
}

const PROBLEMS = {
  foreign: { code: 'not-a-session', message: 'is not a session file of a known agent' },
  empty: { code: 'file-empty', message: 'is empty' },
} as const;

export function toNoSession(kind: NoSession['kind']): NoSession {
  return { kind, problem: PROBLEMS[kind] };
}

/** Returns the problem as an error, for callers that need a session. */
export function toNoSessionError(path: string, kind: NoSession['kind']): FileError {
  const { code, message } = PROBLEMS[kind];
  return new FileError(path, code, kind === 'foreign' && isSubagentLog(path) ? SUBAGENT : message);
}

const SUBAGENT = 'is the log of a sub-agent, and part of a session: name the session';

function isSubagentLog(path: string): boolean {
  return dialects.some(({ places }) => places.subagents?.isFile(basename(path)));
}

/** Returns whether a file could not be used because it is not a session. */
export function isNoSession({ code }: Pick<Problem, 'code'>): boolean {
  return Object.values(PROBLEMS).some((problem) => problem.code === code);
}
