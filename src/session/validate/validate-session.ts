import type { Dialect } from '../dialect/dialect.ts';
import { dialects } from '../agents/index.ts';
import { foldSession } from '../read/recognize.ts';
import type { ReadLinesOptions } from '../jsonl/read/read-lines.ts';
import { CheckFold, type CheckOptions, createReport, getLevel } from './check-fold.ts';
import { Found } from './found.ts';
import { emptyFile } from '../rules/file-empty.ts';
import { START_OF_FILE } from '../rules/place.ts';
import type { Finding } from '../dialect/rule.ts';
import type { RuleLevels } from '../dialect/levels.ts';

export type { CheckOptions } from './check-fold.ts';
export type { RuleLevels } from '../dialect/levels.ts';

export interface ValidateOptions extends ReadLinesOptions, CheckOptions {}

export interface Validation {
  /** Undefined for an empty file, which shows no agent. */
  readonly dialect: Dialect | undefined;
  readonly entryCount: number;
  /** The findings in line order; of a rule that found more than a thousand, the last stands for the rest. */
  readonly findings: readonly Finding[];
}

/**
 * Checks every line and relation of a session file. Undefined when the file is not a session.
 * @throws FileError if it cannot be read.
 */
export async function validateSession(
  path: string,
  options: ValidateOptions,
): Promise<Validation | undefined> {
  const { levels } = options;
  const folded = await foldSession(
    path,
    (dialect, framing) => new CheckFold(path, dialect, framing, options),
    options,
  );
  if (folded.kind === 'foreign') return undefined;
  if (folded.kind === 'empty') return validateEmpty(path, levels);
  const { dialect, result } = folded;
  const findings = await result.conclude();
  return { dialect, entryCount: result.session.entries.length, findings };
}

/** Returns the findings for a file without a line. */
export function validateEmpty(path: string, levels: RuleLevels): Validation {
  const agent = dialects.find(({ places }) => places.leavesEmpty?.(path));
  const level = getLevel(emptyFile, levels, agent);
  const found = new Found();
  createReport(path, emptyFile, level, found)(START_OF_FILE, 'is empty');
  return { dialect: undefined, entryCount: 0, findings: found.inLineOrder() };
}
