import { join } from 'node:path';
import { DisjointSets } from '../../../session/model/tree/disjoint-sets.ts';
import { groupBy } from '../../../session/model/tree/group-by.ts';
import { isSessionName } from '../../../session/model/session-names.ts';
import { getRealPath } from '../../files/stat-file.ts';
import type { Survey } from '../../sessions/sidecars/survey.ts';
import { findHeldIn } from '../../sessions/sidecars/held-in.ts';
import type { PrunableUnit } from '../../sessions/units/unit.ts';

/**
 * Finds the family of a unit. A session and those that it cannot be opened without are for one shard: what it
 * continues from is removed after it, and only if it was. So are the files of one session that share sidecars.
 */
export function createFamilyFinder(
  units: readonly PrunableUnit[],
  survey: Survey,
): (unit: PrunableUnit) => string {
  const copies = findCopies(units, survey);
  const needed = new Set(units.flatMap(({ needs }) => needs));
  const some = units.filter(({ whole }) => needed.has(whole.file.path));
  const byPath = new Map(some.map((unit) => [unit.whole.file.path, unit]));
  const findFirst = (unit: PrunableUnit): PrunableUnit => {
    const seen = new Set<PrunableUnit>();
    let first = unit;
    for (let at: PrunableUnit | undefined = unit; at && !seen.has(at);) {
      seen.add(at);
      first = at;
      at = byPath.get(at.needs[0] ?? '');
    }
    return first;
  };
  return (unit) => {
    const { family, whole } = unit.needs.length === 0 ? unit : findFirst(unit);
    return family ?? copies.get(whole.file.path) ?? whole.file.path;
  };
}

/**
 * Finds for each session that shares sidecars with others the first path of all that do, directly or through each other.
 * A file in the folder of a session goes with that one.
 */
function findCopies(units: readonly PrunableUnit[], survey: Survey): ReadonlyMap<string, string> {
  const sharers = units.flatMap(({ whole: { file, summary } }) => {
    const place = summary && findHeldIn(summary);
    const others = (place && survey.listOthers(place.root, place.heldIn, file.path)) ?? [];
    return others.length === 0 ? [] : [{ path: file.path, others }];
  });
  if (sharers.length === 0) return new Map();
  const sets = new DisjointSets();
  for (const { whole } of units) {
    for (const one of listFiles(whole)) sets.join(whole.file.path, one);
  }
  for (const { path, others } of sharers) {
    for (const other of others) {
      // Other files, such as a list of ids, are left.
      const known = [other, getRealPath(other)].find((one) => sets.has(one));
      if (known !== undefined) sets.join(path, known);
    }
  }
  const shared = new Set(sharers.map(({ path }) => sets.find(path)));
  const paths = units
    .map(({ whole }) => whole.file.path)
    .filter((one) => shared.has(sets.find(one)));
  const families = [...groupBy(paths, (path) => sets.find(path)).values()];
  return new Map(
    families.flatMap((family) => {
      const [first = ''] = family.toSorted();
      return family.map((path) => [path, first] as const);
    }),
  );
}

/** Lists the paths of a session and of all sessions that go with it. */
function listFiles({ file, files }: PrunableUnit['whole']): readonly string[] {
  const { root = '', files: own = [] } = files ?? {};
  const names = own.flatMap(({ name }) => (isSessionName(name) ? [name] : []));
  return [file.path, ...names.map((name) => join(root, name))];
}
