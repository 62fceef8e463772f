import type { Survey } from '../../sessions/sidecars/survey.ts';
import { findHeldIn } from '../../sessions/sidecars/held-in.ts';
import type { PrunableUnit } from '../../sessions/units.ts';

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

/** Finds the first path among the files that share sidecars with each of some sessions, by their paths. */
function findCopies(units: readonly PrunableUnit[], survey: Survey): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { whole } of units) {
    const { file, summary } = whole;
    const place = summary && findHeldIn(summary);
    const others = (place && survey.listOthers(place.root, place.heldIn, file.path)) ?? [];
    if (others.length === 0) continue;
    const all = [file.path, ...others];
    const first = all.reduce((a, b) => (a < b ? a : b));
    for (const path of all) found.set(path, first);
  }
  return found;
}
