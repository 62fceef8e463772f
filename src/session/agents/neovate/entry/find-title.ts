import type { Entry } from '../../../model/entry.ts';

/** Finds the title of a session among its entries: the last that a person gave, or that of a model. */
export function findTitle(entries: readonly Entry[]): string | undefined {
  const given = entries.findLast(({ type, name }) => type === 'custom-title' && name);
  return given?.name ?? entries.find(({ type }) => type === 'config')?.name;
}
