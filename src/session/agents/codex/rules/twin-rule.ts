import { basename, dirname, join } from 'node:path';
import type { LookedAt, Rule } from '../../../dialect/rule.ts';
import { START_OF_FILE } from '../../../rules/place.ts';
import { quote } from '../../../rules/wording.ts';
import { withCompression, withoutCompression } from '../../../jsonl/zstd/is-compressed.ts';
import { parseName } from '../format.ts';
import { ARCHIVED, findHome, isArchived, toDayDirectory } from '../index/bases.ts';

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
  const names = await files.listNames(dirname(path));
  const beside = names.find((name) => {
    const other = parseName(name);
    const isSame = other?.threadId === own.threadId && other.rolloutId === own.rolloutId;
    // The plain file counts where a file is there compressed, too.
    return isSame && withoutCompression(name) !== withoutCompression(basename(path));
  });
  if (beside !== undefined) return beside;
  const home = findHome(path);
  if (home === undefined) return undefined;
  const away = isArchived(path) ? toDayDirectory(own.start) : ARCHIVED;
  const plain = join(home, away, withoutCompression(basename(path)));
  for (const twin of [plain, withCompression(plain)])
    if (await files.exists(twin)) return basename(twin);
  return undefined;
}
