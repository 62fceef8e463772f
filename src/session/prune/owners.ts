import { dirname } from 'node:path';
import { getFolderRival } from '../model/sidecar.ts';
import type { Candidate } from './candidate.ts';

const EXTENSION = /\.jsonl?$/;

/**
 * The session in whose folder another one lies: the folder beside `x.jsonl` that is named `x`, in
 * which agents keep what belongs to it. Of several, the outermost; of
 * `x.json` and `x.jsonl`, the latter.
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
  for (const candidate of candidates) {
    for (const folder of listFolders(candidate.path)) {
      const owner = folders.get(folder);
      if (owner && owner !== candidate) owners.set(candidate, owner);
    }
  }
  return owners;
}

/** Every directory above a file, innermost first. */
function* listFolders(path: string): Generator<string> {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) yield at;
}
