/**
 * `1182` → `1,182`, the same in every locale. Whole numbers without `Intl`: its first call takes as long as
 * all else that a short run does.
 */
export function formatNumber(value: number): string {
  if (!Number.isSafeInteger(value)) return value.toLocaleString('en-US');
  let rest = String(Math.abs(value));
  let grouped = '';
  for (; rest.length > 3; rest = rest.slice(0, -3)) grouped = `,${rest.slice(-3)}${grouped}`;
  return `${value < 0 ? '-' : ''}${rest}${grouped}`;
}

/** `1 entry`, `1,182 entries`. */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

let currency: Intl.NumberFormat | undefined;

/** `1234.5` US dollars as `$1,234.50`, with two digits everywhere; what rounds to nothing as `<$0.01`. */
export function formatCost(dollars: number): string {
  currency ??= new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
  return dollars > 0 && dollars < 0.005 ? '<$0.01' : currency.format(dollars);
}
