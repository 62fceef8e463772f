import { basename, dirname, join, relative, sep } from 'node:path';
import type { SidecarDialect } from '../../../dialect/surroundings/sidecars.ts';
import {
  isCompressed,
  withCompression,
  withoutCompression,
} from '../../../jsonl/zstd/is-compressed.ts';
import { listUsualSidecars, type Sidecar } from '../../../model/sidecar.ts';
import { parseName } from '../format.ts';
import { ARCHIVED, findHome, THREAD_ID, toDayDirectory } from './home.ts';

const GENERATED = 'generated_images';

/** Lists the files of a thread that `codex delete` of 0.169 does not remove. */
function listLeftovers(threadId: string): readonly Sidecar[] {
  return [
    { name: `shell_snapshots/${threadId}.`, ending: '', kind: 'file' },
    { name: `${GENERATED}/${threadId}`, kind: 'directory' },
    { name: `tui-thread-reference-capabilities/${threadId}`, kind: 'file' },
  ];
}

function findRoot(path: string): string {
  return findHome(path) ?? dirname(path);
}

/** Lists the sidecars of one file, relative to its directory. */
function listAround(path: string): readonly Sidecar[] {
  const plain = withoutCompression(path);
  const twin = isCompressed(path) ? plain : withCompression(path);
  return [
    ...listUsualSidecars(plain),
    { name: basename(twin), kind: 'file' },
    ...listRowFiles(plain),
  ];
}

/** Lists the files with rows that were not restored: the rollout may have been compressed or decompressed since. */
function listRowFiles(plain: string): readonly Sidecar[] {
  return [plain, withCompression(plain)].map((one): Sidecar => {
    return { name: `${basename(one)}.rows.json`, kind: 'file' };
  });
}

/**
 * Lists what `compact` and `prune` may have put beside a rollout, its images and rows: archiving moves the file
 * alone, and so does the way back.
 */
function listInEitherPlace(path: string): readonly Sidecar[] {
  const folder = basename(path).replace(/\.jsonl(?:\.zst)?$/, '');
  return listHomes(folder).flatMap((home): readonly Sidecar[] => [
    { name: `${home}/${folder}`, kind: 'directory' },
    ...listRowFiles(`${folder}.jsonl`).map((one) => ({ ...one, name: `${home}/${one.name}` })),
  ]);
}

/** The directories in which a rollout is, active or archived, whose folder has that name. */
function listHomes(folder: string): readonly string[] {
  const name = parseName(`${folder}.jsonl`);
  return name ? [toDayDirectory(name.start), ARCHIVED] : [];
}

/**
 * A thread has all the files of its generations and of its sub-agents, and what Codex keeps of each in
 * other directories of its home.
 */
export const sidecars: SidecarDialect = {
  findRoot,
  list(path, parts = []) {
    const root = findRoot(path);
    const isAtHome = findHome(path) !== undefined;
    const found = [path, ...parts.map((name) => join(root, name))].flatMap((file) => {
      const name = relative(root, file).split(sep).join('/');
      const home = name.slice(0, name.length - basename(name).length);
      const threadId = parseName(file)?.threadId;
      const own: Sidecar[] = file === path ? [] : [{ name, kind: 'file' }];
      const around = listAround(file).map((one) => ({ ...one, name: home + one.name }));
      const leftovers =
        isAtHome && threadId !== undefined
          ? [...listLeftovers(threadId), ...listInEitherPlace(file)]
          : [];
      return [...own, ...around, ...leftovers];
    });
    return [...new Map(found.map((one) => [one.name, one])).values()];
  },
  isPart: (name) =>
    parseName(name) !== undefined &&
    (/^sessions\/\d{4}\/\d\d\/\d\d\/[^/]+$/.test(name) ||
      (dirname(name) === ARCHIVED && !name.includes('..')) ||
      dirname(name) === '.'),
  isMade: (path, id) => parseName(path)?.threadId === id,
  listFolderHomes(path, folder) {
    const home = findHome(path);
    return home === undefined ? [] : listHomes(folder).map((name) => join(home, name));
  },
  folderNames: [],
  isOwnDirectory: (path) =>
    parseName(`${path}.jsonl`) !== undefined ||
    (basename(dirname(path)) === GENERATED && THREAD_ID.test(basename(path))),
};
