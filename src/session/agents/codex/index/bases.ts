import { basename, dirname } from 'node:path';
import { openLine, toFileId } from '../format.ts';
import { findHome, listStoresOf } from '../places/home.ts';
import { findBase } from './relations.ts';
import type { BaseDialect } from '../../../dialect/dialect.ts';
import { listAbove } from '../../../model/paths.ts';
import type { Entry } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';

/** Lists the directories of active and of archived sessions around a rollout. */
export function listStores(path: string): readonly string[] {
  const home = findHome(path);
  return home === undefined ? [] : listStoresOf(home);
}

/** The directory that has the days of a copied store, which may have any name; its own one for a file of no day. */
function findCopied(path: string): string {
  const [day = '', month = '', year = '', top = ''] = listAbove(path);
  const isDay = /^\d{4}-\d\d-\d\d$/.test([year, month, day].map((one) => basename(one)).join('-'));
  return isDay && top !== '' ? top : day;
}

/** The capability to find the rollout that forks and reverts of Codex since 0.148 continue. */
export const bases: BaseDialect = {
  listPlaces(path) {
    const stores = listStores(path);
    const around = stores.length > 0 ? stores : [findCopied(path)];
    return [...new Set([dirname(path), ...around])];
  },
  findPlace: (path) => findHome(path) ?? findCopied(path),
  toFileId,
  findBase: (first) => findBase(openLine(first).payload)?.id,
  join: joinBase,
};

/** A rollout behind the lines of another one that are wholly before its cut. */
function joinBase(base: Session, session: Session): Session {
  const end = session.base?.end ?? 0;
  const key = toFileId(base.path) ?? '';
  const isOwn = (entry: Entry): boolean => entry.file === undefined;
  const isBefore = (entry: Entry): boolean => isOwn(entry) && entry.offset + entry.length <= end;
  const toSafe = (id: string): string => (/^line-\d+$/.test(id) ? `${id}@${key}` : id);
  const [first, ...rest] = session.entries;
  const cut = base.entries.findLast(isBefore)?.id ?? base.entries.find(isOwn)?.parentId ?? null;
  // A revert leaves later turns of its own thread behind, which are still there to be seen.
  const isSame = base.header?.id === session.header?.id;
  const keepsAll = first !== undefined && isSame;
  const shared = keepsAll ? undefined : listPath(base.entries, cut);
  const inherited = base.entries
    .filter((entry) => !shared || shared.has(entry.id))
    .map((entry) => ({
      ...entry,
      id: entry.id === undefined ? undefined : toSafe(entry.id),
      parentId: entry.parentId === null ? null : toSafe(entry.parentId),
      file: entry.file ?? base.path,
    }));
  const own = first ? [{ ...first, parentId: cut === null ? null : toSafe(cut) }, ...rest] : [];
  return {
    ...session,
    entries: [...inherited, ...own],
    ...(isSame && {
      earlierFiles: new Map([[base.path, base.copiedEnd ?? 0], ...(base.earlierFiles ?? [])]),
    }),
  };
}

/** The ids of the entries on the way to one. */
function listPath(entries: readonly Entry[], last: string | null): ReadonlySet<string | undefined> {
  const parents = new Map(entries.map(({ id, parentId }) => [id, parentId]));
  const ids = new Set<string | undefined>();
  for (let at: string | null | undefined = last; at; at = parents.get(at)) {
    if (ids.has(at)) break;
    ids.add(at);
  }
  return ids;
}
