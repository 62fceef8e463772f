// @ts-check

const PREFIX = '\0plain-yargs:';
const OF_LAYOUT = /[\\/]node_modules[\\/](?:yargs|cliui|wrap-ansi|cli-table3)[\\/]/;

/**
 * What stands in for modules that take yargs and cli-table3 longer than all the rest of them, by the
 * words of the import:
 *
 * - `string-width`, of which yargs loads two releases, measures text to lay out help, and to measure the
 *   first letter compiles what finds emoji. Our help is ASCII, a test sees to that, and such text is
 *   as wide as it is long. cli-table3 loads another, and gets ASCII, too.
 * - `argsert` parses, in each call, a text that says which types the call takes. Our calls are checked
 *   by TypeScript.
 */
const PLAIN = new Map([
  ['string-width', 'module.exports = (text) => text.length;'],
  ['./argsert.js', 'export const argsert = () => {};'],
]);

/** @type {import('rolldown').Plugin & import('vite').Plugin} */
export const plainYargs = {
  name: 'plain-yargs',
  // Before Vite looks for packages.
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    PLAIN.has(source) && OF_LAYOUT.test(importer) ? PREFIX + source : undefined,
  load: (id) => (id.startsWith(PREFIX) ? PLAIN.get(id.slice(PREFIX.length)) : undefined),
};
