// @ts-check
import { join, resolve } from 'node:path';
import { assembly } from '../../build/assembly.mjs';
import { withSource } from '../../load-source.mjs';

const ROOT = resolve(import.meta.dirname, '../../..');
const SCANNER = 'src/session/jsonl/scanner/assembly.base64';
const PI_SCANNER = 'src/session/agents/pi/scanner/assembly.base64';

/** What a thread needs to make a scanner. `written` is the plan of what is kept of each line. */
/** @typedef {{ code: Buffer, layout: Record<string, number>, api?: string, written?: { root: number, bytes: Buffer } }} Recipe */

/** @typedef {{ bytes: Buffer, first: number, reduce: (from: number, end: number, plan: number) => number, scannedTo: { value: number }, plan: number, resultEnd: { value: number }, isAscii: { value: number }, takeLines?: () => readonly any[], keepLines?: (lines: readonly any[]) => void }} Scanner */

/**
 * A scanner that checks each line as JSON and UTF-8; with an agent, one that also parses what the index keeps of each
 * line, and with `rules` what those of `validate` keep, too, and looks at none of it; or, of pi, one that only
 * looks at the ends of lines and at strings.
 * @param {string} [agent]
 * @param {{ rules?: boolean }} [more]
 * @returns {Promise<Recipe>}
 */
export async function describeScanner(agent, { rules = false } = {}) {
  const layout = await withSource('src/session/jsonl/scanner/layout.ts', keep);
  const isPi = agent === 'pi';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the plugin has
  const plugin = /** @type {{ load: (id: string) => Promise<string> }} */ (assembly());
  const module = await plugin.load(join(ROOT, isPi ? PI_SCANNER : SCANNER));
  const [, text = '""'] = /= (".*");$/.exec(module) ?? [];
  const recipe = { code: Buffer.from(JSON.parse(text), 'base64'), layout };
  if (agent === undefined) return recipe;
  if (!isPi) return { ...recipe, written: await writePlanOf(agent, rules) };
  const { API } = await withSource('src/session/agents/pi/scanner/canonical-lines.ts', keep);
  return { ...recipe, api: API };
}

/**
 * @param {string} agent
 * @param {boolean} withRules
 */
async function writePlanOf(agent, withRules) {
  const { mergePlans, writePlan } = await withSource('src/session/jsonl/scanner/plan.ts', keep);
  const { dialects } = await withSource('src/session/agents/index.ts', keep);
  const { reading, rules } = dialects.find((/** @type {any} */ one) => one.agent === agent);
  const reads = withRules ? rules.map((/** @type {any} */ rule) => rule.reads ?? {}) : [];
  return writePlan(mergePlans([reading.indexSession('lines').plan, ...reads]));
}

/** @param {any} module */
function keep(module) {
  return Promise.resolve({ ...module });
}

/**
 * @param {Recipe} recipe
 * @returns {Scanner}
 */
export function createScanner({ code, layout, api, written }) {
  const memory = new WebAssembly.Memory({ initial: layout['MEMORY_PAGES'] ?? 0 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { env: { memory } });
  const bytes = Buffer.from(memory.buffer);
  const place = layout['PLAN'] ?? 0;
  // Nothing has been written there: a plan that names no member.
  const plan = place + 8;
  const scanner =
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what its source exports
    /** @type {Scanner} */ ({ ...exports, bytes, first: layout['CHUNKS'], plan });
  if (api !== undefined) return { ...scanner, reduce: toSkim(scanner, api, layout) };
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
 * @param {string} api before the name
 * @param {Record<string, number>} layout
 * @returns {Scanner['reduce']}
 */
function toSkim({ bytes, skim, ending, namesStart, namesEnd, NAMES, setNames }, api, { UNNAMED }) {
  return (from, end) => {
    const count = skim(from, end, 0, 0, 0);
    if (count > 0 || ending.value !== UNNAMED) return count;
    const names = bytes.subarray(namesStart.value, namesEnd.value);
    const at = names.lastIndexOf(api);
    if (at === -1) return 0;
    setNames(names.copy(bytes, NAMES.value, at));
    return skim(from, end, 0, 0, 0);
  };
}
