import { FileError } from '../../../errors.ts';
import type { Entry } from '../entry.ts';
import { resolveLabels } from './labels.ts';
import { MIN_PREFIX } from '../ids/match-id.ts';
import type { Session } from '../session.ts';
import type { Tree } from './tree.ts';

const MAX_CANDIDATES = 5;
/** Ids as agents make them: 8 hexadecimal digits, UUIDs, and others that are short. Longer ones may hold a secret. */
const NAMEABLE = /^(?:[\da-f-]{1,36}|[\w-]{1,12})$/i;

/**
 * The entry that a person means by its id, by its label, or by a unique prefix of its id of at
 * least 4 characters; what is written in full goes before a prefix.
 * @throws FileError `entry-unknown` or `entry-ambiguous`, which names the candidates.
 */
export function findEntry({ path, entries }: Session, tree: Tree, name: string): Entry {
  const exact = new Set<Entry>();
  const byId = tree.get(name);
  if (byId) exact.add(byId);
  for (const [targetId, { text }] of resolveLabels(entries)) {
    const target = text === name ? tree.get(targetId) : undefined;
    if (target) exact.add(target);
  }
  const found =
    exact.size > 0 || name.length < MIN_PREFIX ? exact : findByPrefix(entries, tree, name);
  const [entry, ...others] = found;
  if (!entry) {
    const hint = name.length < MIN_PREFIX ? ` (a prefix needs ${MIN_PREFIX} characters)` : '';
    throw new FileError(path, 'entry-unknown', `has no entry and no label ${name}${hint}`);
  }
  if (others.length === 0) return entry;
  const candidates = [entry, ...others].slice(0, MAX_CANDIDATES).map(({ id, line }) => {
    return `${id !== undefined && NAMEABLE.test(id) ? id : '?'} (line ${line})`;
  });
  const more = found.size - candidates.length;
  const list = `${candidates.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  throw new FileError(path, 'entry-ambiguous', `${name} matches ${found.size} entries: ${list}`);
}

function findByPrefix(entries: readonly Entry[], tree: Tree, prefix: string): ReadonlySet<Entry> {
  const found = entries.filter(({ id }) => id?.startsWith(prefix));
  // Only the last of several entries with one id is in the tree.
  return new Set(found.filter(({ id }, at) => tree.get(id ?? '') === found[at]));
}
