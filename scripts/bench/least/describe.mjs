// @ts-check
import { join, resolve } from 'node:path';
import { assembly } from '../../build/assembly.mjs';
import { withSource } from '../../load-source.mjs';

/** @import { Recipe, Work } from './scanner.mjs' */

const ROOT = resolve(import.meta.dirname, '../../..');
const SCANNER = 'src/session/jsonl/scanner/assembly.base64';
const PI_SCANNER = 'src/session/agents/pi/scanner/assembly.base64';

/**
 * A scanner that checks each line as JSON and UTF-8, and, but for `check`, parses what the index keeps of each line;
 * for `validate` also what the rules keep. For a listing of pi: one that only looks at the ends of lines and at
 * strings.
 * @param {string} agent
 * @param {Work} work
 * @returns {Promise<Recipe>}
 */
export async function describeScanner(agent, work) {
  const layout = await withSource('src/session/jsonl/scanner/layout.ts', keep);
  const skims = agent === 'pi' && work === 'list';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the plugin has
  const plugin = /** @type {{ load: (id: string) => Promise<string> }} */ (assembly());
  const module = await plugin.load(join(ROOT, skims ? PI_SCANNER : SCANNER));
  const [, text = '""'] = /= (".*");$/.exec(module) ?? [];
  const recipe = { agent, work, code: Buffer.from(JSON.parse(text), 'base64'), layout, skims };
  if (skims || work === 'check') return recipe;
  return { ...recipe, written: await writePlanOf(agent, work === 'validate') };
}

/**
 * @param {string} agent
 * @param {boolean} withRules
 */
async function writePlanOf(agent, withRules) {
  const { mergePlans, writePlan } = await withSource('src/session/jsonl/scanner/plan.ts', keep);
  const { dialects } = await withSource('src/session/agents/index.ts', keep);
  const dialect = dialects.find((/** @type {any} */ one) => one.agent === agent);
  const own = dialect?.reading.indexSession('lines').plan;
  // A listing of pi is another work: pi has a scanner of its own.
  if (!own) throw new Error(`${agent} has no plan of what its index keeps`);
  const reads = withRules ? dialect.rules.map((/** @type {any} */ rule) => rule.reads ?? {}) : [];
  return writePlan(mergePlans([own, ...reads]));
}

/** @param {any} module */
function keep(module) {
  return Promise.resolve({ ...module });
}
