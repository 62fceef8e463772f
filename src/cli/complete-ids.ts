import { basename, dirname } from 'node:path';
import { findStoresIfAny } from '../store/find/roots.ts';
import { readSettings } from '../store/settings/settings.ts';
import { isFindableId, readIdIfAny, searchStores } from '../store/find/targets.ts';
import type { Context } from '../commands/command.ts';

/** The most offers that anyone reads. */
const MAX_OFFERS = 200;
const NAMED = /^(?:(\d{4}-\d\d-\d\d)T[\dZ-]+_)?(.+)\.jsonl?$/;

/** An id, with the day and the directory of its session. */
export interface IdOffer {
  readonly text: string;
  readonly about: string;
}

/**
 * Ids of sessions that begin so, latest first: a shell waits for it, so by the names of their files,
 * and what is offered is looked up, since a file may be called otherwise than its session.
 */
export async function completeIds(begun: string, context: Context): Promise<readonly IdOffer[]> {
  const stores = await findStoresIfAny([], { ...context, readSettings }, { followsProject: true });
  const { files } = await searchStores(stores);
  const found = files.flatMap(({ path }) => {
    const [, day = '', id = ''] = NAMED.exec(basename(path)) ?? [];
    // A shell could execute other names.
    if (!id.startsWith(begun) || !isFindableId(id)) return [];
    return [{ path, id, day, about: `${day} ${basename(dirname(path))}`.trim() }];
  });
  const latest = found.toSorted((a, b) => (a.day < b.day ? 1 : -1)).slice(0, MAX_OFFERS);
  const own = await Promise.all(latest.map(({ path }) => readIdIfAny(path)));
  return latest.flatMap(({ id, about }, at) => {
    const isOnly = found.filter((one) => one.id === id).length === 1;
    return own[at]?.id === id && isOnly ? [{ text: id, about }] : [];
  });
}
