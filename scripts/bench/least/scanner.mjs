// @ts-check
/** Before the name of a model, in lines of pi. */
const API = '],"api":"';

/**
 * What a thread needs to make a scanner, and what it does with the lines. `written` is the plan of what is kept of
 * each line; `skims` is for pi's own scanner, which looks at the ends of lines and at strings alone.
 * @typedef {{ agent: string, work: Work, code: Buffer, layout: Record<string, number>, skims: boolean, written?: { root: number, bytes: Buffer } }} Recipe
 */

/** @typedef {'check' | 'list' | 'validate'} Work */

/** @typedef {{ bytes: Buffer, first: number, reduce: (from: number, end: number, plan: number) => number, scannedTo: { value: number }, plan: number, resultEnd: { value: number }, isAscii: { value: number }, takeLines?: () => readonly any[], keepLines?: (lines: readonly any[]) => void }} Scanner */

/**
 * @param {Recipe} recipe
 * @returns {Scanner}
 */
export function createScanner({ code, layout, skims, written }) {
  const memory = new WebAssembly.Memory({ initial: layout['MEMORY_PAGES'] ?? 0 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } });
  const bytes = Buffer.from(memory.buffer);
  const place = layout['PLAN'] ?? 0;
  // Nothing has been written there: a plan that names no member.
  const plan = place + 8;
  const scanner =
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what its source exports
    /** @type {Scanner} */ ({ ...exports, bytes, first: layout['CHUNKS'], plan });
  if (skims) return { ...scanner, reduce: toSkim(scanner, layout) };
  if (!written) return scanner;
  bytes.set(written.bytes, place);
  const result = layout['RESULT'] ?? 0;
  const { resultEnd, isAscii } = scanner;
  const takeLines = () => {
    const encoding = isAscii.value === 0 ? 'utf8' : 'latin1';
    return JSON.parse(bytes.toString(encoding, result, resultEnd.value));
  };
  return { ...scanner, plan: written.root, takeLines };
}

/**
 * Takes lines by their ends, and names a model when it is the first time that an answer has it.
 * @param {any} exports of pi's scanner
 * @param {Record<string, number>} layout
 * @returns {Scanner['reduce']}
 */
function toSkim({ bytes, skim, ending, namesStart, namesEnd, NAMES, setNames }, { UNNAMED }) {
  return (from, end) => {
    const count = skim(from, end, 0, 0, 0);
    if (count > 0 || ending.value !== UNNAMED) return count;
    const names = bytes.subarray(namesStart.value, namesEnd.value);
    const at = names.lastIndexOf(API);
    if (at === -1) return 0;
    setNames(names.copy(bytes, NAMES.value, at));
    return skim(from, end, 0, 0, 0);
  };
}
