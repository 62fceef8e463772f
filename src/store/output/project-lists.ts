import { FileError } from '../../errors.ts';
import { isMissing } from '../../session/jsonl/files/file-error.ts';
import { readLines } from '../../session/jsonl/read/read-lines.ts';
import type { ProjectList } from '../../session/dialect/migration.ts';
import type { KnownSession } from '../../session/migrate/relocation.ts';
import type { PathMove } from '../../session/model/paths.ts';
import type { MigrationResult } from '../../session/migrate/types.ts';

/**
 * Reports the lists of an agent that name the old directory of a project which moved: they are not changed,
 * since clients write to them at any time. The result of one session of each list reports it.
 */
export async function reportProjectLists(
  sessions: readonly KnownSession[],
  results: readonly MigrationResult[],
  moves: readonly PathMove[],
): Promise<readonly MigrationResult[]> {
  const listsOf = new Map(sessions.map(({ path, projectLists = [] }) => [path, projectLists]));
  const seen = new Set<string>();
  const reported: MigrationResult[] = [];
  for (const result of results) {
    const lists = result.action === 'relocate' ? (listsOf.get(result.path) ?? []) : [];
    const problems = [...result.problems];
    for (const list of lists) {
      if (seen.has(list.path)) continue;
      seen.add(list.path);
      const message = await describeList(list, moves);
      if (message !== undefined) problems.push({ line: 1, code: 'list-kept', message });
    }
    reported.push(problems.length > result.problems.length ? { ...result, problems } : result);
  }
  return reported;
}

/** Undefined for a list that does not name an old directory. */
async function describeList(
  { path, name }: ProjectList,
  moves: readonly PathMove[],
): Promise<string | undefined> {
  try {
    const isNamed = await namesOld(path, moves);
    return isNamed ? `${name} names the old directory, too; coppice does not change it` : undefined;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    if (isMissing(error)) return undefined;
    return `${name} may name the old directory, too: ${error.message}; coppice does not change it`;
  }
}

/** @throws FileError if it cannot be read. */
async function namesOld(file: string, moves: readonly PathMove[]): Promise<boolean> {
  const starts = moves.map(({ from }) => JSON.stringify(from).slice(0, -1));
  const marks = starts.flatMap((start) => [`${start}"`, `${start}/`, `${start}\\\\`]);
  let isNamed = false;
  await readLines(file, ({ bytes }) => {
    isNamed ||= marks.some((mark) => bytes.includes(mark));
  });
  return isNamed;
}
