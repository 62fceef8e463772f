// @ts-check

const PREFIX = '\0plain-yargs:';
const OF_HELP = /[\\/]node_modules[\\/](?:yargs|cliui|wrap-ansi)[\\/]/;

/**
 * What stands in for modules that take yargs longer than all the rest of it, by the words of the import:
 *
 * - `string-width`, of which it loads two releases, measures text to lay out help, and to measure the
 *   first letter compiles what finds emoji. Our help is ASCII, a test sees to that, and such text is
 *   as wide as it is long.
 * - `argsert` parses, in each call, a text that says which types the call takes. Our calls are checked
 *   by TypeScript.
 */
const PLAIN = new Map([
  ['string-width', 'export default (text) => text.length;'],
  ['./argsert.js', 'export const argsert = () => {};'],
]);

/** @type {import('rolldown').Plugin & import('vite').Plugin} */
export const plainYargs = {
  name: 'plain-yargs',
  // Before Vite looks for packages.
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    PLAIN.has(source) && OF_HELP.test(importer) ? PREFIX + source : undefined,
  load: (id) => (id.startsWith(PREFIX) ? PLAIN.get(id.slice(PREFIX.length)) : undefined),
};
