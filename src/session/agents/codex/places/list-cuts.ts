import type { Cut } from '../../../dialect/reduction.ts';
import type { LookedAt } from '../../../dialect/rule.ts';
import type { Base } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { CURRENT_VERSION, openLine, parseName, toFileId } from '../format.ts';
import { bases } from '../index/bases.ts';
import { readBase } from '../index/relations.ts';
import { addTo } from '../../../model/tree/group-by.ts';

/** A rollout that continues from another one. */
interface Child {
  readonly path: string;
  readonly base: Base;
}

/**
 * Lists the places at which forks and later generations continue a rollout, in the order of their bytes.
 * @throws FileError if a rollout of the home cannot be read: it may continue any.
 */
export async function listCuts(
  { path, formatVersion }: Session,
  files: LookedAt,
): Promise<readonly Cut[]> {
  if (formatVersion < CURRENT_VERSION) return [];
  const key = toFileId(path);
  if (key === undefined) return [];
  const places = bases.listPlaces(path);
  const children = await files.recall('children', bases.findPlace(path), () =>
    listChildren(places, files),
  );
  const own = children.get(key) ?? [];
  return own
    .filter((child) => child.path !== path)
    .map((child) => ({
      path: child.path,
      offset: child.base.end,
      heirs: listHeirs(child.path, children),
    }))
    .toSorted((a, b) => a.offset - b.offset || (a.path < b.path ? -1 : 1));
}

/** All rollouts of a home that continue from another one, by the key of that. */
async function listChildren(
  places: readonly string[],
  files: LookedAt,
): Promise<ReadonlyMap<string, readonly Child[]>> {
  const children = new Map<string, Child[]>();
  const isRollout = (name: string): boolean => parseName(name) !== undefined;
  for (const path of await files.listBelow(places, isRollout)) {
    const base = await files.recall('base', path, async () => {
      const first = await files.readFirstObject(path);
      return first && readBase(openLine(first).payload);
    });
    if (base) addTo(children, base.id, { path, base });
  }
  return children;
}

function listHeirs(
  path: string,
  children: ReadonlyMap<string, readonly Child[]>,
): readonly string[] {
  const heirs = new Set<string>();
  const pending = [path];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const child of children.get(toFileId(at) ?? '') ?? []) {
      if (child.path === path || heirs.has(child.path)) continue;
      heirs.add(child.path);
      pending.push(child.path);
    }
  }
  return [...heirs];
}
