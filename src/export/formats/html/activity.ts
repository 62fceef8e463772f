import { formatCounted } from '../../../session/model/text/numbers.ts';

const DAY_MS = 86_400_000;
const WEEKS = 53;
const CELL = 12;
const LEFT = 28;
const TOP = 14;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * A year of days as squares, a column a week: the darker, the more answers. Ends with the latest day
 * that has any. `days` are keyed as `2026-03-02`; counts are whole.
 */
export function drawActivity(days: ReadonlyMap<string, number>): string {
  const latest = [...days.keys()].toSorted().at(-1);
  const end = Date.parse(latest ?? '');
  if (Number.isNaN(end)) return '';
  const most = Math.max(...days.values());
  // The last column ends on a Sunday.
  const start = end + (7 - (new Date(end).getUTCDay() || 7)) * DAY_MS - (WEEKS * 7 - 1) * DAY_MS;
  let squares = '';
  let labels = '';
  for (let index = 0; start + index * DAY_MS <= end; index += 1) {
    const date = new Date(start + index * DAY_MS);
    const day = date.toISOString().slice(0, 10);
    const count = days.get(day) ?? 0;
    const [x, y] = [LEFT + Math.floor(index / 7) * CELL, TOP + (index % 7) * CELL];
    const level = count === 0 ? 0 : Math.max(1, Math.ceil((4 * count) / most));
    const says = `${day}: ${formatCounted(count, 'answer')}`;
    squares += `<rect x="${x}" y="${y}" width="10" height="10" rx="2" class="l${level}"><title>${says}</title></rect>`;
    if (index % 7 === 0 && date.getUTCDate() <= 7) {
      labels += `<text x="${x}" y="9">${MONTHS[date.getUTCMonth()]}</text>`;
    }
  }
  for (const [row, name] of [
    [0, 'Mon'],
    [2, 'Wed'],
    [4, 'Fri'],
  ] as const) {
    labels += `<text x="0" y="${TOP + row * CELL + 9}">${name}</text>`;
  }
  const size = `0 0 ${LEFT + WEEKS * CELL} ${TOP + 7 * CELL}`;
  return `<svg viewBox="${size}" role="img" aria-label="Answers per day">${labels}${squares}</svg>`;
}
