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

/** The cost as `formatCost` writes it; empty where an agent has recorded none. */
export function formatRecordedCost(dollars: number): string {
  return dollars > 0 ? formatCost(dollars) : '';
}

const DECIMAL = /^(\d+)(?:\.(\d{1,2})(\d)?\d*)?$/;

/**
 * `1234.5` US dollars as `$1,234.50`, with two digits everywhere, half a cent rounded up; what rounds to nothing as
 * `<$0.01`. By the decimals that JavaScript writes, as `Intl` does it in ten times the time.
 */
export function formatCost(dollars: number): string {
  if (dollars > 0 && dollars < 0.005) return '<$0.01';
  const [, whole = '', cents = '', next = '0'] = DECIMAL.exec(String(Math.abs(dollars))) ?? [];
  const isExact = whole !== '' && whole.length <= MAX_DOLLAR_DIGITS;
  if (!isExact) return dollars.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
  const rounded = Number(whole) * 100 + Number(cents.padEnd(2, '0')) + (next >= '5' ? 1 : 0);
  const text = `$${formatNumber(Math.floor(rounded / 100))}.${String(rounded % 100).padStart(2, '0')}`;
  return dollars < 0 || Object.is(dollars, -0) ? `-${text}` : text;
}

/** An amount with this many digits of dollars is a safe integer of cents. */
const MAX_DOLLAR_DIGITS = 12;
