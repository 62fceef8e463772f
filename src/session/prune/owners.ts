import { dirname } from 'node:path';
import { listAbove, NO_PATHS } from '../model/paths.ts';
import { findSuperseded } from '../model/tree/superseded.ts';
import type { Candidate } from './candidate.ts';

/** The sessions that others own, and those that only seem to be owned. */
export interface Owners {
  /** The session that each goes with. */
  readonly owners: ReadonlyMap<Candidate, Candidate>;
  /** Sessions that are named like a part of another one, and go with none: such as a directory of the agent itself. */
  readonly neighbors: ReadonlySet<Candidate>;
}

/**
 * Finds the session that owns another one: `migrate` has made it of the other, the other is in its
 * folder, the folder `x` beside `x.jsonl`, or is among its sidecars elsewhere, as a file that was given to the agent.
 * Of several owners, the outermost; of `x.json` and `x.jsonl`, the latter.
 */
export function findOwners(candidates: readonly Candidate[]): Owners {
  const owners = new Map<Candidate, Candidate>();
  const byPath = new Map<string, Candidate>();
  for (const one of candidates) byPath.set(one.path, one);
  for (const path of findSuperseded(candidates)) {
    const [old, owner] = [byPath.get(path), byPath.get(`${path}l`)];
    if (old && owner) owners.set(old, owner);
  }
  const above = new Map<string, readonly Candidate[]>();
  for (const candidate of candidates) {
    const directory = dirname(candidate.path);
    const found =
      above.get(directory) ??
      [...listAbove(candidate.path)].flatMap((folder) => findOwner(folder, byPath) ?? []);
    above.set(directory, found);
    for (const owner of found) if (owner !== candidate) owners.set(candidate, owner);
  }
  for (const owner of candidates) {
    if (owners.has(owner)) continue;
    for (const path of owner.parts ?? NO_PATHS) {
      const part = byPath.get(path);
      if (part && part !== owner) owners.set(part, owner);
    }
  }
  return split(owners);
}

/** Takes those out that would not go with their owner, though they are in its folder by name. */
function split(named: ReadonlyMap<Candidate, Candidate>): Owners {
  const owners = new Map<Candidate, Candidate>();
  const neighbors = new Set<Candidate>();
  for (const [part, owner] of named) {
    // One with an obstacle keeps its owner, too: it may have come since.
    const isNeighbor = owner.parts?.has(part.path) === false && part.obstacle === undefined;
    if (isNeighbor) neighbors.add(part);
    else owners.set(part, owner);
  }
  return { owners, neighbors };
}

/** Finds the session whose folder a directory is. */
function findOwner(folder: string, byPath: ReadonlyMap<string, Candidate>): Candidate | undefined {
  return byPath.get(`${folder}.jsonl`) ?? byPath.get(`${folder}.json`);
}
