// @ts-check
import { readAll } from './read.mjs';
import { createScanner } from './scanner.mjs';

/** @import { Recipe, Scanner } from './scanner.mjs' */

/** @typedef {{ id: string | undefined, parent: string | null | undefined, time: number }} Entry */
/** @typedef {{ entry: (line: any) => Entry, calls: (line: any) => readonly (string | undefined)[] }} Fields */

/**
 * Where an agent writes what relates a line to others.
 * @type {Record<string, Fields>}
 */
const FIELDS = {
  pi: {
    entry: ({ id, parentId, timestamp }) => ({ id, parent: parentId, time: Date.parse(timestamp) }),
    calls: ({ message }) => listBlocks(message, ({ id, toolCallId }) => toolCallId ?? id),
  },
  'claude-code': {
    entry: ({ uuid, parentUuid, timestamp }) => {
      return { id: uuid, parent: parentUuid, time: Date.parse(timestamp) };
    },
    calls: ({ message }) => listBlocks(message, (block) => block.tool_use_id ?? block.id),
  },
  codex: {
    entry: ({ timestamp }) => ({ id: undefined, parent: null, time: Date.parse(timestamp) }),
    calls: ({ payload }) => [payload?.call_id],
  },
};

/**
 * @param {any} message
 * @param {(block: any) => string | undefined} idOf
 */
function listBlocks(message, idOf) {
  const content = message?.content;
  return Array.isArray(content) ? content.map(idOf) : [];
}

/**
 * Reads sessions, and returns a row for each.
 * @param {readonly string[]} files
 * @param {Recipe} recipe
 * @returns {string[]}
 */
export function readSessions(files, recipe) {
  const scanner = createScanner({ ...recipe, code: Buffer.from(recipe.code) });
  return files.map((file) => readSession(file, scanner, recipe));
}

/**
 * @param {string} file
 * @param {Scanner} scanner
 * @param {Recipe} recipe
 */
function readSession(file, scanner, { agent, work }) {
  const fields = FIELDS[agent];
  if (!fields) throw new Error(`no fields are known of ${agent}`);
  const session = work === 'validate' ? new Tree(fields) : new Line(fields);
  const keepLines = (/** @type {readonly any[]} */ values) => {
    for (const value of values) session.add(value);
  };
  const { lines, bytes } = readAll([file], { ...scanner, keepLines }, true);
  return JSON.stringify({ path: file, lines, bytes, ...session.end() });
}

/** What a listing knows: the last time, and how many lines name one that is not above them. */
class Line {
  #ids = new Set();
  #unknown = 0;
  #last = 0;

  /** @param {Fields} fields */
  constructor(fields) {
    this.fields = fields;
  }

  /** @param {any} line */
  add(line) {
    const { id, parent, time } = this.fields.entry(line);
    if (typeof parent === 'string' && !this.#ids.has(parent)) this.#unknown += 1;
    if (id !== undefined) this.#ids.add(id);
    if (time > this.#last) this.#last = time;
  }

  end() {
    return { last: this.#last, unknown: this.#unknown };
  }
}

/** What the rules of `validate` look at: an entry of each line, by its id, and how often each call is named. */
class Tree {
  /** @type {Map<string, Entry>} */
  #byId = new Map();
  /** @type {Entry[]} */
  #entries = [];
  /** @type {Map<string, number>} */
  #calls = new Map();

  /** @param {Fields} fields */
  constructor(fields) {
    this.fields = fields;
  }

  /** @param {any} line */
  add(line) {
    const entry = this.fields.entry(line);
    this.#entries.push(entry);
    if (entry.id !== undefined) this.#byId.set(entry.id, entry);
    for (const call of this.fields.calls(line)) {
      if (call !== undefined) this.#calls.set(call, (this.#calls.get(call) ?? 0) + 1);
    }
  }

  end() {
    const isOrphan = (/** @type {Entry} */ { parent }) =>
      typeof parent === 'string' && !this.#byId.has(parent);
    const unknown = this.#entries.filter(isOrphan).length;
    const unanswered = [...this.#calls.values()].filter((count) => count === 1).length;
    return { last: this.#entries.at(-1)?.time, unknown, unanswered };
  }
}
