// @ts-check
import { Random } from './random.mjs';

/** @typedef {(word: () => string) => string} Template */

const WORDS = `session entry buffer token parser branch index handler stream request cache render
  config worker schema retry header offset result context module socket record cursor layout signal
  filter digest bundle policy`.split(/\s+/);

/** @type {Template[]} */
const CODE = [
  (w) => `import { ${w()}, ${w()} } from "../${w()}/${w()}.js";`,
  (w) => `\tconst ${w()} = await ${w()}.${w()}(${w()}, { ${w()}: "${w()}" });`,
  (w) => `\t\tif (!${w()}) return { ok: false, error: \`no ${w()} in \${${w()}.path}\` };`,
  (w) => `export function ${w()}(${w()}: string, ${w()} = 0): ${w()} {`,
  (w) => `\t\tthrow new Error("Cannot read the ${w()} of '" + ${w()} + "'");`,
  (w) => `\t// The ${w()} has to come before the ${w()}, or the ${w()} is read twice.`,
  (w) => `\tconst pattern = /^(\\w+)\\s*=\\s*"([^"\\\\]*)"$/; // ${w()}`,
  (w) => `  ${w()}?: { ${w()}: number; ${w()}: string[] };`,
  (w) => `src/${w()}/${w()}.ts:214:9 - error TS2345: Argument of type '${w()}' is not assignable.`,
  () => '\t}',
  () => '',
];

/** @type {Template[]} */
const UNICODE_CODE = [
  (w) => `\t// ${w()} → ${w()}: “${w()}” – größer als vorher, 次の${w()} ✅`,
  (w) => `\tconsole.log("│ ${w()} ─ ${w()} 🙂 │");`,
  (w) => `│ ├── ${w()}/${w()}.ts  … café`,
  ...CODE,
];

/** @type {Template[]} */
const PROSE = [
  (w) => `The ${w()} keeps a ${w()} for every ${w()}, so the ${w()} never has to wait for it.`,
  (w) => `I'll look at \`${w()}.ts\` first, then at how the ${w()} and the ${w()} fit together.`,
  (w) => `- **${w()}**: moved into \`src/${w()}/${w()}.ts\`; the old "${w()}" stays as an alias`,
  (w) => `Now the ${w()} test fails because the ${w()} is still empty; let me check the ${w()}.`,
  (w) => `### ${w()} and ${w()}`,
  () => '',
];

/**
 * @param {Random} random
 * @param {Template[]} lines
 * @param {number} length
 */
function document(random, lines, length) {
  const word = () => random.pick(WORDS);
  /** @type {string[]} */
  const parts = [];
  for (let size = 0; size < length;) {
    const line = random.pick(lines)(word);
    parts.push(line);
    size += line.length + 1;
  }
  return parts.join('\n');
}

/** About one text in twelve of real sessions holds something other than ASCII. */
const UNICODE_SHARE = 0.08;
const LONGEST_TEXT = 256 * 1024;
const LONGEST_DATA = 1536 * 1024;

/** Text is made once and then only sliced: that is what makes the generator fast. */
export class Texts {
  #code;
  #unicode;
  #prose;
  #base64;

  /** @param {number} seed */
  constructor(seed) {
    const random = new Random(seed);
    this.#code = document(random, CODE, 4 * LONGEST_TEXT);
    this.#unicode = document(random, UNICODE_CODE, 2 * LONGEST_TEXT);
    this.#prose = document(random, PROSE, LONGEST_TEXT);
    const noise = Uint32Array.from({ length: (3 * LONGEST_DATA) / 8 }, () => random.bits());
    this.#base64 = Buffer.from(noise.buffer).toString('base64');
  }

  /**
   * Whole lines of code-like text, `length` characters or up to a line more.
   * @param {Random} random
   * @param {number} length
   */
  code(random, length) {
    return slice(random, random.chance(UNICODE_SHARE) ? this.#unicode : this.#code, length);
  }

  /**
   * @param {Random} random
   * @param {number} length
   */
  prose(random, length) {
    return slice(random, this.#prose, length);
  }

  /**
   * @param {Random} random
   * @param {number} length
   */
  base64(random, length) {
    const size = Math.min(LONGEST_DATA, length) & ~3;
    const start = random.below(this.#base64.length - size) & ~3;
    return this.#base64.slice(start, start + size);
  }
}

/**
 * Cuts at line ends only, so that no surrogate pair is ever torn.
 * @param {Random} random
 * @param {string} text
 * @param {number} length
 */
function slice(random, text, length) {
  const size = Math.min(length, text.length / 2);
  const start = text.indexOf('\n', random.below(text.length - size - 1024)) + 1;
  return text.slice(start, text.indexOf('\n', start + size));
}
