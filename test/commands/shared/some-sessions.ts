import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import { toVersion1 } from '../../version-1.ts';

export const IDS: readonly string[] = ['a', 'b', 'c'];

/** Writes sessions of the current version into the store `s` of a home, and the same of version 1 into `old`. */
export async function writeSessions(home: string): Promise<void> {
  await writeFiles(
    home,
    Object.fromEntries([
      ...IDS.map((id) => [`s/${id}.jsonl`, sampleSession({ id })]),
      ...IDS.map((id) => [`old/${id}.jsonl`, sampleSession({ id }).map(toVersion1)]),
    ]),
  );
}
