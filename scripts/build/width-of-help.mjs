// @ts-check

const MODULE = '\0width-of-help';

/**
 * What yargs lays out its pages with measures text by two releases of string-width. To load them
 * took each command longer than all the rest of yargs, and to measure its first letter took a page
 * as long again: both is the compiling of what finds emoji. Our help is ASCII, a test sees to that,
 * and such text is as wide as it is long.
 *
 * @type {import('rolldown').Plugin}
 */
export const widthOfHelp = {
  name: 'width-of-help',
  resolveId(source, importer = '') {
    const isForHelp = /[\\/]node_modules[\\/](?:yargs|cliui|wrap-ansi)[\\/]/.test(importer);
    return source === 'string-width' && isForHelp ? MODULE : null;
  },
  load: (id) => (id === MODULE ? 'export default (text) => text.length;' : null),
};
