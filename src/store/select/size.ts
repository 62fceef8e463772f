import { UsageError } from '../../errors.ts';

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 1e3],
  ['mb', 1e6],
  ['gb', 1e9],
  ['tb', 1e12],
  ['kib', 1024],
  ['mib', 1024 ** 2],
  ['gib', 1024 ** 3],
  ['tib', 1024 ** 4],
]);

/**
 * Bytes of `500kB 10MB 2GiB`; a bare number is bytes.
 * @throws UsageError naming the option.
 */
export function parseSize(text: string, option: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const factor = UNITS.get(unit.toLowerCase());
  if (amount === undefined || factor === undefined) {
    throw new UsageError(`${option} ${text}: expected a size such as 500kB, 10MB or 2GiB`);
  }
  return Math.round(Number(amount) * factor);
}
