import type { DatabaseTables, Row } from '../../session/dialect/surroundings/records.ts';

/** The tables of several databases: those of one name have the rows of all, in their order. */
export function joinTables(some: readonly DatabaseTables[]): DatabaseTables {
  const all = new Map<string, readonly Row[]>();
  for (const tables of some) {
    for (const [name, rows] of tables) all.set(name, [...(all.get(name) ?? []), ...rows]);
  }
  return all;
}
