// @ts-check

/** @type {Record<string, number>} */
const UNITS = { '': 1, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

/**
 * Bytes meant by `500kB`, `1.5GB` or `2GiB`.
 * @param {string} text
 */
export function parseSize(text) {
  const [, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-zA-Z]*)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (amount === '' || factor === undefined) throw new RangeError(`not a size: ${text}`);
  return Math.round(Number(amount) * factor);
}

/**
 * A whole number of at least `least`.
 * @param {string} text
 * @param {number} [least]
 */
export function parseCount(text, least = 1) {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < least) {
    throw new RangeError(`not a whole number >= ${least}: ${text}`);
  }
  return count;
}

/**
 * The session format's version.
 * @param {string} text
 * @returns {1 | 2 | 3}
 */
export function parseVersion(text) {
  const version = Number(text);
  if (version === 1 || version === 2 || version === 3) return version;
  throw new RangeError(`not a version (1, 2 or 3): ${text}`);
}

/**
 * The agent whose sessions are made.
 * @param {string} text
 * @returns {'pi' | 'claude-code' | 'codex'}
 */
export function parseAgent(text) {
  if (text === 'pi' || text === 'claude-code' || text === 'codex') return text;
  throw new RangeError(`not an agent (pi, claude-code or codex): ${text}`);
}

/**
 * Factors in rising order, from `0.5,1,2`.
 * @param {string} text
 */
export function parseScales(text) {
  const scales = text.split(',').map(Number);
  if (!scales.every((scale) => scale > 0)) throw new RangeError(`not a list of factors: ${text}`);
  return scales.toSorted((a, b) => a - b);
}
