const CURRENCY = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** `1234.5` US dollars as `$1,234.50`, with two digits everywhere; what rounds to nothing as `<$0.01`. */
export function formatCost(dollars: number): string {
  return dollars > 0 && dollars < 0.005 ? '<$0.01' : CURRENCY.format(dollars);
}
