// @ts-check

const DEFINITION = /_defineProperty\((\s*)this,(\s*(?:\/\*\*[^]*?\*\/\s*)?)"(\w+)",/g;

/**
 * markdown-it sets the fields of each token by a function that stands in for class fields in old
 * browsers, which took a quarter of the time that it needs for a text. Here they are plain assignments.
 *
 * @type {import('rolldown').Plugin}
 */
export const plainFields = {
  name: 'plain-fields',
  transform: {
    filter: { id: /[\\/]node_modules[\\/]markdown-it[\\/]/ },
    handler(code) {
      const plain = code.replace(DEFINITION, '($1this.$3 =$2');
      if (plain === code) this.error('markdown-it sets fields in another way: this is not needed');
      return { code: plain, map: null };
    },
  },
};
