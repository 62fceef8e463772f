import { listAbove } from '../model/paths.ts';
import { getFolderRival } from '../model/sidecar.ts';
import { findSuperseded } from '../model/tree/superseded.ts';
import type { Candidate } from './candidate.ts';

const EXTENSION = /\.jsonl?$/;

/**
 * Finds the session that owns another one: `migrate` has made it of the other, or the other is in its
 * folder, the folder `x` beside `x.jsonl`. Of several owners, the outermost; of `x.json` and
 * `x.jsonl`, the latter.
 */
export function findOwners(candidates: readonly Candidate[]): ReadonlyMap<Candidate, Candidate> {
  const folders = new Map<string, Candidate>();
  const paths = new Set(candidates.map(({ path }) => path));
  for (const candidate of candidates) {
    const rival = getFolderRival(candidate.path);
    if (rival !== undefined && paths.has(rival)) continue;
    folders.set(candidate.path.replace(EXTENSION, ''), candidate);
  }
  const owners = new Map<Candidate, Candidate>();
  const byPath = new Map(candidates.map((one) => [one.path, one]));
  for (const path of findSuperseded(candidates)) {
    const [old, owner] = [byPath.get(path), byPath.get(`${path}l`)];
    if (old && owner) owners.set(old, owner);
  }
  for (const candidate of candidates) {
    for (const folder of listAbove(candidate.path)) {
      const owner = folders.get(folder);
      if (owner && owner !== candidate) owners.set(candidate, owner);
    }
  }
  return owners;
}
