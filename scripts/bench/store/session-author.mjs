// @ts-check
import { EntryWriter } from './entry-writer.mjs';
import { FIRST_MODEL, MODELS, Messages } from './messages.mjs';
import { Random } from './random.mjs';

/** @import { LineFile } from './line-file.mjs' */
/** @import { ToolCall } from './messages.mjs' */
/** @import { SessionPlan } from './plan.mjs' */
/** @import { Texts } from './text.mjs' */
/** @typedef {{ before: string | null, first: string | number }} TurnPoint */

const COMPACT_AFTER_BYTES = 700_000;
const KEPT_TURNS = 3;
/** What a step and the last answer of a turn take at least: no step begins in less room. */
const STEP_BYTES = 1500;
const BRANCHABLE_TURNS = 12;

/** Writes turn after turn of one session: what a person, a model, tools and extensions do. */
export class SessionAuthor {
  #plan;
  #texts;
  #entries;
  #random;
  #messages;
  #model = FIRST_MODEL;
  #contextStart = 0;
  /** Starts of the latest turns on the current path. @type {TurnPoint[]} */
  #points = [];

  /**
   * @param {SessionPlan} plan
   * @param {Texts} texts
   * @param {LineFile} file
   */
  constructor(plan, texts, file) {
    this.#plan = plan;
    this.#texts = texts;
    this.#entries = new EntryWriter(file, plan);
    this.#random = new Random(plan.seed);
    this.#messages = new Messages(this.#random, texts);
  }

  get clock() {
    return this.#entries.clock;
  }

  begin() {
    if (this.#plan.version === 1) return;
    this.#changeModel();
    this.#changeThinkingLevel();
  }

  /** @param {SessionPlan} plan of the fork whose copied part is written */
  continueAs(plan) {
    this.#plan = plan;
    this.#random = new Random(plan.seed);
    this.#messages = new Messages(this.#random, this.#texts);
    this.#entries.clock = plan.start;
    this.#entries.useIdRange(plan.index + 1);
  }

  /** @param {number} bytes the session's entries have afterwards, or a few lines more */
  writeTurns(bytes) {
    while (this.#entries.bytes < bytes) this.#writeTurn();
  }

  get #room() {
    return this.#plan.bytes - this.#entries.bytes;
  }

  get #contextTokens() {
    return Math.ceil((this.#entries.bytes - this.#contextStart) / 4);
  }

  #writeTurn() {
    this.#messages.room = this.#room;
    this.#writeAside();
    this.#wait(60_000, 1);
    const before = this.#entries.leaf;
    const first = this.#message(this.#messages.user(this.clock));
    this.#points = [...this.#points.slice(1 - BRANCHABLE_TURNS), { before, first }];
    const steps = Math.ceil(this.#random.logNormal(5, 0.9));
    for (let step = 0; step < steps && this.#room > STEP_BYTES; step += 1) this.#writeStep();
    this.#assistant([]);
  }

  #writeStep() {
    const calls = [this.#toolCall()];
    while (this.#random.chance(0.15)) calls.push(this.#toolCall());
    this.#assistant(calls);
    for (const call of calls) {
      this.#wait(200, 1.5);
      this.#message(this.#messages.toolResult(call, this.#room, this.clock));
    }
  }

  #toolCall() {
    return this.#messages.toolCall(this.#plan.cwd, this.#room);
  }

  /** @param {ToolCall[]} toolCalls */
  #assistant(toolCalls) {
    const started = this.clock;
    this.#messages.room = this.#room;
    this.#wait(5000, 0.7);
    this.#message(this.#messages.assistant(this.#model, this.#contextTokens, toolCalls, started));
  }

  /** What people and extensions do between turns. */
  #writeAside() {
    if (this.#entries.bytes - this.#contextStart > COMPACT_AFTER_BYTES) this.#compact();
    if (this.#random.chance(0.02)) this.#changeModel();
    if (this.#random.chance(0.02)) this.#changeThinkingLevel();
    if (this.#plan.version === 1) return;
    if (this.#random.chance(0.02)) this.#branch();
    if (this.#random.chance(0.03)) this.#label();
    if (this.#random.chance(0.05)) this.#entries.append('session_info', { name: this.#title() });
    if (this.#random.chance(0.4)) this.#snapshot();
    if (this.#random.chance(0.1)) this.#extensionMessage();
  }

  #changeModel() {
    this.#model = this.#random.pick(MODELS);
    const { provider, model } = this.#model;
    this.#entries.append('model_change', { provider, modelId: model });
  }

  #changeThinkingLevel() {
    const thinkingLevel = this.#random.pick(['off', 'low', 'high']);
    this.#entries.append('thinking_level_change', { thinkingLevel });
  }

  #compact() {
    const first = (this.#points.at(-KEPT_TURNS) ?? this.#points[0])?.first;
    const tokensBefore = this.#contextTokens;
    const summary = `## Goal\n${this.#messages.prose(4000, 0.3)}`;
    const fields =
      this.#plan.version === 1
        ? { summary, firstKeptEntryIndex: first, tokensBefore }
        : { summary, firstKeptEntryId: first, tokensBefore, ...this.#summaryOrigin() };
    this.#entries.append('compaction', fields);
    this.#points = [];
    this.#contextStart = this.#entries.bytes;
  }

  /** Goes back to before an earlier turn, as `/tree` does; sometimes with a summary. */
  #branch() {
    const index = this.#random.below(this.#points.length);
    const point = this.#points[index];
    if (point === undefined) return;
    const fromId = this.#entries.leaf;
    this.#points = this.#points.slice(0, index);
    this.#entries.leaf = point.before;
    if (this.#random.chance(0.5)) return;
    const summary = this.#messages.prose(1200, 0.4);
    this.#entries.append('branch_summary', { fromId, summary, ...this.#summaryOrigin() });
  }

  #summaryOrigin() {
    const paths = [3, 7, 12, 31].map((n) => `${this.#plan.cwd}/src/module-${n}.ts`);
    const details = { readFiles: paths.slice(0, 2), modifiedFiles: paths.slice(2) };
    return { details, fromHook: false };
  }

  #label() {
    const targetId = this.#points.at(-1)?.first;
    if (targetId === undefined) return;
    this.#entries.append('label', { targetId, label: this.#title().slice(0, 24) });
  }

  #snapshot() {
    const todos = this.#messages.prose(900, 0.9).split('\n');
    const data = { version: 1, todos: todos.map((text, id) => ({ id, text, done: id % 3 === 0 })) };
    this.#entries.appendPayloadFirst('custom', { customType: 'todo-state', data });
  }

  #extensionMessage() {
    const content = this.#messages.prose(300, 0.6);
    const fields = { customType: 'reminder', content, display: true };
    if (this.#plan.version === 2) {
      this.#message({ role: 'hookMessage', ...fields, timestamp: this.clock });
    } else {
      this.#entries.appendPayloadFirst('custom_message', fields);
    }
  }

  #title() {
    return this.#messages.prose(40, 0.3).split('\n', 1)[0]?.slice(0, 60).trim() || 'Untitled';
  }

  /** @param {object} message */
  #message(message) {
    return this.#entries.append('message', { message });
  }

  /**
   * @param {number} median milliseconds
   * @param {number} sigma
   */
  #wait(median, sigma) {
    this.#entries.clock += Math.ceil(this.#random.logNormal(median, sigma));
  }
}
