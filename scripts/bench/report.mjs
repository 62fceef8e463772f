// @ts-check
import { PI_LIST } from './commands.mjs';

/** @import { BenchStore } from './bench-store.mjs' */
/** @import { Row } from './rounds.mjs' */

/**
 * @typedef {object} Result medians over the runs
 * @property {string} name
 * @property {string} [problem] why there is no figure
 * @property {number} [seconds]
 * @property {[number, number]} [range] of the seconds
 * @property {number} [cpuSeconds]
 * @property {number} [peakBytes]
 * @property {number} [bytesPerSecond] of the store
 * @property {Record<'wc' | 'jq' | 'pi', number | undefined>} [ratios] own time / theirs: the
 *   median of the ratios within each round
 */

/** @typedef {{ scale: number, store: BenchStore, results: Result[] }} StoreResult */

/**
 * @param {readonly Row[]} rows
 * @param {BenchStore} store
 * @returns {Result[]}
 */
export function toResults(rows, store) {
  /** @param {Row} row @param {string} other */
  const ratio = (row, other) =>
    pairedRatio(
      row,
      rows.find(({ command }) => command.name === other),
    );
  return rows.map((row) => {
    const { name, rival = PI_LIST } = row.command;
    if (row.problem !== undefined) return { name, problem: row.problem };
    const times = row.runs.map((run) => run.seconds);
    const seconds = median(times);
    return {
      name,
      seconds,
      range: [Math.min(...times), Math.max(...times)],
      cpuSeconds: median(row.runs.map((run) => run.cpuSeconds)),
      peakBytes: median(row.runs.map((run) => run.peakBytes)),
      bytesPerSecond: store.bytes / seconds,
      ratios: { wc: ratio(row, 'wc -l'), jq: ratio(row, 'jq empty'), pi: ratio(row, rival) },
    };
  });
}

/**
 * The median of the ratios of seconds within each round; undefined where one of the two was not measured.
 * @param {Row} row
 * @param {Row | undefined} other
 */
export function pairedRatio(row, other) {
  if (other === undefined || other.problem !== undefined) return undefined;
  return median(row.runs.map(({ seconds }, i) => seconds / (other.runs[i]?.seconds ?? NaN)));
}

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/**
 * @param {StoreResult} result
 * @returns {string} a heading and a Markdown table
 */
export function formatStore({ scale, store, results }) {
  const size = `${formatMegabytes(store.bytes)}, the largest ${formatMegabytes(store.largest)}`;
  return [
    `### Scale ${scale}: ${store.sessions} sessions, ${size}\n`,
    '| command | wall s | min – max | CPU s | peak | MB/s | × wc -l | × jq | × pi |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...results.map((result) => formatRow(result)),
  ].join('\n');
}

/** @param {Result} result */
function formatRow({
  name,
  problem,
  seconds,
  range,
  cpuSeconds,
  peakBytes,
  bytesPerSecond,
  ratios,
}) {
  if (problem !== undefined) return `| ${name} | ${problem.replaceAll(/[\s|]+/g, ' ')} |`;
  const cells = [
    name,
    formatNumber(seconds),
    range?.map((second) => formatNumber(second)).join(' – '),
    formatNumber(cpuSeconds),
    formatMegabytes(peakBytes),
    bytesPerSecond === undefined ? '' : (bytesPerSecond / 1e6).toFixed(0),
    formatNumber(ratios?.wc),
    formatNumber(ratios?.jq),
    formatNumber(ratios?.pi),
  ];
  return `| ${cells.join(' | ')} |`;
}

/**
 * How time and memory grow with the store: the exponent k of bytes ^ k, from the smallest store
 * to the largest (1: in proportion; 0: not at all).
 * @param {readonly StoreResult[]} stores by scale
 */
export function formatGrowth(stores) {
  const scales = stores.map(({ scale }) => scale);
  const names = stores[0]?.results.map(({ name }) => name) ?? [];
  const rows = names.flatMap((name) => {
    const results = stores.map(({ results: all }) => all.find((result) => result.name === name));
    const seconds = results.map((result) => result?.seconds);
    const peaks = results.map((result) => result?.peakBytes);
    return [
      [name, 's', ...seconds.map(formatNumber), formatNumber(exponent(stores, seconds))],
      [name, 'peak', ...peaks.map(formatMegabytes), formatNumber(exponent(stores, peaks))],
    ];
  });
  const head = ['command', '', ...scales.map((scale) => `× ${scale}`), 'exponent'];
  const rule = head.map((_, column) => (column < 2 ? '---' : '---:'));
  const table = [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return ['### Growth\n', ...table].join('\n');
}

/**
 * @param {readonly StoreResult[]} stores
 * @param {readonly (number | undefined)[]} values one for each store
 */
function exponent(stores, values) {
  const growth = (values.at(-1) ?? NaN) / (values[0] ?? NaN);
  const bytes = (stores.at(-1)?.store.bytes ?? NaN) / (stores[0]?.store.bytes ?? NaN);
  return Math.log(growth) / Math.log(bytes);
}

/** @param {number | undefined} value */
export function formatNumber(value) {
  if (value === undefined || Number.isNaN(value)) return '–';
  return value.toFixed(value < 1 ? 3 : value < 100 ? 2 : 0);
}

/** @param {number | undefined} bytes */
export function formatMegabytes(bytes) {
  return bytes === undefined ? '–' : `${(bytes / 1e6).toFixed(0)} MB`;
}
