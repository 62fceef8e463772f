import { createHash } from 'node:crypto';
import { closeSync, lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createTempFileSync, isOfEndedRun } from '../files/temp-file.ts';

/** The claim of a run to a name that it is about to give to a file. */
export interface Claim {
  readonly path: string;
  /** The beginning of the name of every claim to it. */
  readonly prefix: string;
}

/**
 * Claims a name for a file, where a system can rename without writing over another only after looking. A claim is
 * a temporary file, and is cleared away as these are if the run is killed.
 */
export function claimName(path: string): Claim {
  // Some file systems take names for one that differ only in case, or in how an accent is written.
  const name = basename(path).normalize('NFC').toLowerCase();
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 24);
  const { path: claim, fd } = createTempFileSync(join(dirname(path), `claim-${hash}`));
  closeSync(fd);
  return { path: claim, prefix: `.claim-${hash}.` };
}

/**
 * Returns whether a name is taken, be it by the claim of another run: of two that claim it at once, each sees
 * the other, since it looks after its claim is there.
 */
export function isClaimed({ path: own, prefix }: Claim, path: string): boolean {
  const isOther = (name: string): boolean => name.startsWith(prefix) && name !== basename(own);
  const others = readdirSync(dirname(path)).filter(isOther);
  if (others.some((name) => !isOfEndedRun(join(dirname(path), name)))) return true;
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
