import { addTo } from '../model/tree/group-by.ts';
import type { Candidate } from './candidate.ts';

/** The reason why a session is kept whose files the lines of a kept one name. */
export const REFERRED = 'a kept session refers to its files';

/** The reason why a session is kept that a file may refer to which cannot be read. */
export function toUnreadReason(path: string): string {
  return `${path} cannot be read, and may refer to its files`;
}

/** The reason why a session is kept that a file may continue from which cannot be read. */
export function toUnreadBaseReason(path: string): string {
  return `${path} cannot be read, and may continue from it`;
}

/** The sessions that the lines of one name files of, by path. */
export interface Named {
  readonly path: string;
  readonly names: readonly string[];
  /** A file of it that could not be read. */
  readonly unread?: string | undefined;
  /** The sessions whose lines it shows as its own. */
  readonly needs: readonly string[];
}

export type Referrers = Pick<Candidate, 'referrers' | 'unreadReferrer'>;

/**
 * Maps the path of each session to the sessions whose lines name its files. The lines that a session continues from
 * count as its own. A file that cannot be read may name what is in any folder, but is not taken for one that names
 * a session without a folder: it would keep all sessions of its agent.
 */
export function findReferrers(
  named: readonly Named[],
  paths: Iterable<string>,
  hasFolder: (path: string) => boolean = () => true,
): ReadonlyMap<string, Referrers> {
  const byPath = new Map(named.map((one) => [one.path, one]));
  const referrers = new Map<string, string[]>();
  for (const one of named) {
    const shown = new Set([one]);
    // A set that grows is walked to its end.
    for (const { needs } of shown) {
      for (const path of needs) {
        const base = byPath.get(path);
        if (base) shown.add(base);
      }
    }
    const names = new Set([...shown].flatMap((base) => base.names));
    for (const path of names) if (path !== one.path) addTo(referrers, path, one.path);
  }
  const unread = named.filter((one) => one.unread !== undefined);
  return new Map(
    [...paths].map((path) => {
      const others = hasFolder(path) ? unread : [];
      const unreadReferrer = others.find((other) => other.path !== path)?.unread;
      return [path, { referrers: referrers.get(path), unreadReferrer }];
    }),
  );
}
