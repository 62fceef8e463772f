// @ts-check

/** @import { Random } from './random.mjs' */
/** @import { Texts } from './text.mjs' */

/**
 * With prices in dollars for a million tokens.
 * @typedef {{ api: string, provider: string, model: string, input: number, output: number }} Model
 */

/** @type {Model} */
export const FIRST_MODEL = {
  api: 'anthropic-messages',
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  input: 3,
  output: 15,
};

export const MODELS = [
  FIRST_MODEL,
  { ...FIRST_MODEL, model: 'claude-opus-4-5', input: 5, output: 25 },
  { api: 'openai-responses', provider: 'openai', model: 'gpt-5.1-codex', input: 1.25, output: 10 },
];

/**
 * @typedef {object} ToolCall
 * @property {'toolCall'} type
 * @property {string} id
 * @property {string} name
 * @property {Record<string, string | number>} arguments
 */

/** As often as each is called. */
const TOOLS = ['bash', 'bash', 'bash', 'bash', 'read', 'read', 'edit', 'edit', 'write'];
const IMAGE_SHARE = 0.0012;
const LONGEST_PROSE = 20_000;

/** Makes the messages of one session; sizes are log-normal, fitted to real sessions. */
export class Messages {
  #random;
  #texts;
  /** The bytes that the session is still to have: no prose is longer. */
  room = LONGEST_PROSE;

  /**
   * @param {Random} random
   * @param {Texts} texts
   */
  constructor(random, texts) {
    this.#random = random;
    this.#texts = texts;
  }

  /**
   * @param {number} median
   * @param {number} sigma
   */
  prose(median, sigma) {
    const most = Math.min(LONGEST_PROSE, Math.max(16, this.room));
    const length = Math.min(this.#random.logNormal(median, sigma), most);
    return this.#texts.prose(this.#random, length);
  }

  /**
   * @param {number} median
   * @param {number} sigma
   * @param {number} room
   */
  code(median, sigma, room) {
    const length = Math.min(this.#random.logNormal(median, sigma), Math.max(16, room), 200_000);
    return this.#texts.code(this.#random, length);
  }

  /** @param {number} timestamp */
  user(timestamp) {
    return { role: 'user', content: [{ type: 'text', text: this.prose(140, 0.9) }], timestamp };
  }

  /**
   * @param {Model} model
   * @param {number} contextTokens
   * @param {ToolCall[]} toolCalls none: the turn's last message
   * @param {number} timestamp
   */
  assistant(model, contextTokens, toolCalls, timestamp) {
    const isLast = toolCalls.length === 0;
    const content = [...this.#thinking(), ...this.#text(isLast), ...toolCalls];
    return {
      role: 'assistant',
      content,
      api: model.api,
      provider: model.provider,
      model: model.model,
      usage: this.#usage(model, contextTokens, isLast ? 400 : 120),
      stopReason: isLast ? 'stop' : 'toolUse',
      timestamp,
      responseId: `msg_01${this.#texts.base64(this.#random, 22).replaceAll(/[+/]/g, 'x')}`,
    };
  }

  #thinking() {
    if (!this.#random.chance(0.3)) return [];
    const thinkingSignature = this.#texts.base64(this.#random, 200 + this.#random.below(400));
    return [{ type: 'thinking', thinking: this.prose(260, 0.9), thinkingSignature }];
  }

  /** @param {boolean} isLast */
  #text(isLast) {
    if (!isLast && !this.#random.chance(0.5)) return [];
    return [{ type: 'text', text: isLast ? this.prose(600, 0.9) : this.prose(90, 0.5) }];
  }

  /**
   * @param {Model} model
   * @param {number} cacheRead
   * @param {number} typicalOutput
   */
  #usage(model, cacheRead, typicalOutput) {
    const input = 1 + this.#random.below(12);
    const output = Math.ceil(this.#random.logNormal(typicalOutput, 0.8));
    const cacheWrite = Math.ceil(this.#random.logNormal(700, 1));
    const cost = {
      input: (model.input / 1e6) * input,
      output: (model.output / 1e6) * output,
      cacheRead: (model.input / 1e7) * cacheRead,
      cacheWrite: (model.input / 8e5) * cacheWrite,
    };
    const total = cost.input + cost.output + cost.cacheRead + cost.cacheWrite;
    const totalTokens = input + output + cacheRead + cacheWrite;
    return { input, output, cacheRead, cacheWrite, totalTokens, cost: { ...cost, total } };
  }

  /**
   * @param {string} cwd
   * @param {number} room
   * @returns {ToolCall}
   */
  toolCall(cwd, room) {
    const id = `toolu_01${this.#texts.base64(this.#random, 24).replaceAll(/[+/]/g, 'x')}`;
    const path = `${cwd}/src/module-${this.#random.below(40)}.ts`;
    const name = this.#random.pick(TOOLS);
    return { type: 'toolCall', id, name, arguments: this.#toolArguments(name, path, room) };
  }

  /**
   * @param {string} name
   * @param {string} path
   * @param {number} room
   * @returns {ToolCall['arguments']}
   */
  #toolArguments(name, path, room) {
    switch (name) {
      case 'read':
        return { path, offset: 1 + this.#random.below(900), limit: 200 };
      case 'edit':
        return { path, oldText: this.code(150, 0.9, room), newText: this.code(180, 0.9, room) };
      case 'write':
        return { path, content: this.code(1200, 1, room) };
      default:
        return { command: `grep -rn "${this.prose(16, 0.1)}" ${path} | head -20` };
    }
  }

  /**
   * @param {ToolCall} call
   * @param {number} room
   * @param {number} timestamp
   */
  toolResult(call, room, timestamp) {
    const isError = this.#random.chance(0.04);
    const origin = { role: 'toolResult', toolCallId: call.id, toolName: call.name };
    if (isError || call.name === 'bash' || call.name === 'read') {
      return { ...origin, content: this.#output(room), isError, timestamp };
    }
    const text = `Successfully changed ${call.arguments['path']}.`;
    const details = call.name === 'edit' ? { diff: this.code(400, 0.8, room) } : undefined;
    return { ...origin, content: [{ type: 'text', text }], details, isError, timestamp };
  }

  /** @param {number} room */
  #output(room) {
    const size = this.#random.logNormal(250_000, 0.8);
    if (this.#random.chance(IMAGE_SHARE) && size < room) {
      const data = `iVBORw0KGgoA${this.#texts.base64(this.#random, size)}`;
      return [
        { type: 'text', text: 'Read image file [image/png]' },
        { type: 'image', data, mimeType: 'image/png' },
      ];
    }
    return [{ type: 'text', text: this.code(700, 1.35, room) }];
  }
}
