import { basename, dirname } from 'node:path';
import { toPlainLine } from '../report/escape.ts';
import { findStoresIfAny } from '../store/roots.ts';
import { readSettings } from '../store/settings.ts';
import { isFindableId, searchStores } from '../store/targets.ts';
import type { Context } from './command.ts';

/** More than these, nobody reads. */
const MAX_OFFERS = 200;
const NAMED = /^(?:(\d{4}-\d\d-\d\d)T[\dZ-]+_)?(.+)\.jsonl?$/;

/**
 * Ids of sessions that begin so, latest first, by the names of their files alone: a shell waits for
 * it. In shells that show what an offer is, with the day and the directory.
 */
export async function completeIds(begun: string, context: Context): Promise<readonly string[]> {
  const stores = await findStoresIfAny([], { ...context, readSettings });
  const { files } = await searchStores(stores);
  const found = files.flatMap(({ path }) => {
    const [, day = '', id = ''] = NAMED.exec(basename(path)) ?? [];
    // What else a file may be called, a shell would obey.
    if (!id.startsWith(begun) || !isFindableId(id)) return [];
    return [{ id, day, about: `${day} ${basename(dirname(path))}`.trim() }];
  });
  const separator = getSeparator(context.env['SHELL']);
  return found
    .toSorted((a, b) => (a.day < b.day ? 1 : -1))
    .slice(0, MAX_OFFERS)
    .map(({ id, about }) => (separator === undefined ? id : id + separator + toPlainLine(about)));
}

function getSeparator(shell: string | undefined): string | undefined {
  if (shell?.includes('fish')) return '\t';
  return shell?.includes('zsh') ? ':' : undefined;
}
