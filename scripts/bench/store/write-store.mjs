// @ts-check
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { LineFile } from './line-file.mjs';
import { writeClaudeCode } from './claude-code.mjs';
import { writeCodex } from './codex.mjs';
import { planStore } from './plan.mjs';
import { writeSession } from './session.mjs';
import { Texts } from './text.mjs';

/** @import { StoreOptions } from './plan.mjs' */
/** @typedef {{ sessions: number, bytes: number, lines: number, largest: number }} StoreFacts */

const WRITERS = { pi: writeSession, 'claude-code': writeClaudeCode, codex: writeCodex };

/**
 * Makes a sessions root in `out`, which must be absent or empty. The same options, `out`
 * included (forks name their parent's path), give the same bytes and file times.
 * @param {StoreOptions} options
 * @returns {StoreFacts}
 */
export function writeStore(options) {
  if (existsSync(options.out) && readdirSync(options.out).length > 0) {
    throw new Error(`not empty: ${options.out}`);
  }
  const texts = new Texts(options.seed);
  const facts = { sessions: 0, bytes: 0, lines: 0, largest: 0 };
  for (const plan of planStore(options)) {
    mkdirSync(dirname(plan.path), { recursive: true });
    const file = new LineFile(plan.path);
    file.close(WRITERS[plan.agent](plan, texts, file));
    facts.sessions += 1;
    facts.bytes += file.bytes;
    facts.lines += file.lines;
    facts.largest = Math.max(facts.largest, file.bytes);
  }
  return facts;
}
