import { basename, dirname, join } from 'node:path';
import type { LookedAt, Rule } from '../../../dialect/rule.ts';
import { groupBy } from '../../../model/tree/group-by.ts';
import { START_OF_FILE } from '../../../rules/place.ts';
import { quote } from '../../../rules/wording.ts';
import { withCompression, withoutCompression } from '../../../jsonl/zstd/is-compressed.ts';
import { parseName, type RolloutName } from '../format.ts';
import { ARCHIVED, findHome, isArchived, toDayDirectory } from '../places/home.ts';

/** Two files of which Codex takes each for the same thread. */
export const rolloutTwice: Rule = {
  id: 'rollout-twice',
  level: 'warning',
  fixable: false,
  summary: 'a rollout of Codex whose thread has another file beside it, or among the archived',
  help:
    'The names of both files have the same thread id, and neither is a later generation of the ' +
    'other. Codex lists the thread twice, and may continue either of the two. Move one of them ' +
    'out of the store; `coppice fork` makes a thread of its own of it.',
  check: (report, { path }) => ({
    async look(files) {
      const twin = await findTwin(path, files);
      if (twin !== undefined) {
        report(START_OF_FILE, `has the thread id of ${quote(twin)}: Codex lists both`);
      }
    },
  }),
};

/** A copy is made beside its source, or left behind as that is archived or brought back by hand. */
async function findTwin(path: string, files: LookedAt): Promise<string | undefined> {
  const own = parseName(path);
  if (!own) return undefined;
  const plain = withoutCompression(basename(path));
  const beside = (await listRollouts(dirname(path), own, files)).find(
    // The plain file counts where a file is there compressed, too.
    (name) => parseName(name)?.rolloutId === own.rolloutId && withoutCompression(name) !== plain,
  );
  if (beside !== undefined) return beside;
  const home = findHome(path);
  if (home === undefined) return undefined;
  const away = isArchived(path) ? toDayDirectory(own.start) : ARCHIVED;
  const elsewhere = await listRollouts(join(home, away), own, files);
  return [plain, withCompression(plain)].find((name) => elsewhere.includes(name));
}

/** Lists the files of a thread in a directory, which is read once: it may hold those of a hundred thousand threads. */
async function listRollouts(
  directory: string,
  { threadId }: RolloutName,
  files: LookedAt,
): Promise<readonly string[]> {
  const byThread = await files.recall('rollouts', directory, async () =>
    groupBy(await files.listNames(directory), (name) => parseName(name)?.threadId),
  );
  return byThread.get(threadId) ?? [];
}
