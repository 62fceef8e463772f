// @ts-check
import { Author } from './author.mjs';

/** @import { LineFile } from './line-file.mjs' */
/** @import { Messages } from './messages.mjs' */
/** @import { SessionPlan } from './plan.mjs' */
/** @import { Texts } from './text.mjs' */

const MODELS = ['claude-opus-5-5', 'claude-opus-5-5', 'claude-haiku-5'];

/**
 * Writes one session as Claude Code 2.1 would have: a line for each block of an answer, results twice,
 * attachments and lines beside the tree between them. Returns its last time.
 * @param {SessionPlan} plan
 * @param {Texts} texts
 * @param {LineFile} file
 */
export function writeClaudeCode(plan, texts, file) {
  const author = new ClaudeCodeAuthor(plan, texts, file);
  author.begin();
  while (file.bytes < plan.bytes) author.writeTurn();
  author.end();
  return author.clock;
}

class ClaudeCodeAuthor extends Author {
  /** @type {string | null} */
  #parentUuid = null;

  begin() {
    this.#aside('mode', { mode: 'normal' });
    this.#aside('permission-mode', { permissionMode: 'auto' });
    const modelId = this.random.pick(MODELS);
    this.#attach({ type: 'environment', snapshot: { workingDirectory: this.plan.cwd } });
    this.#attach({ type: 'model', identity: { modelId }, text: `You are powered by ${modelId}.` });
  }

  end() {
    this.#aside('ai-title', { aiTitle: this.messages.prose(40, 0.3).slice(0, 60) });
    this.#aside('last-prompt', { lastPrompt: 'go on', leafUuid: this.#parentUuid });
  }

  writeTurn() {
    this.wait(60_000);
    const messageId = this.#uuid();
    const snapshot = { messageId, trackedFileBackups: {}, timestamp: this.time() };
    this.file.write({
      type: 'file-history-snapshot',
      messageId,
      snapshot,
      isSnapshotUpdate: false,
    });
    this.#node('user', { message: { role: 'user', content: this.messages.prose(140, 0.9) } });
    const steps = Math.ceil(this.random.logNormal(5, 0.9));
    for (let step = 0; step < steps && this.room > 0; step += 1) this.#writeStep();
    this.#answer([{ type: 'text', text: this.messages.prose(600, 0.9) }], 'end_turn');
    if (this.random.chance(0.3)) this.#system();
  }

  #writeStep() {
    const call = this.messages.toolCall(this.plan.cwd, this.room);
    const input = call.arguments;
    const blocks = [{ type: 'tool_use', id: call.id, name: call.name, input }];
    const thinking = this.messages.prose(260, 0.9);
    const signature = this.texts.base64(this.random, 400 + this.random.below(800));
    const hasThought = this.random.chance(0.3);
    this.#answer(
      [...(hasThought ? [{ type: 'thinking', thinking, signature }] : []), ...blocks],
      'tool_use',
    );
    this.wait(2000);
    const { content } = this.messages.toolResult(call, this.room, this.clock);
    const blocksOfResult = content.map((block) => this.#toBlock(block));
    const [first] = content;
    const stdout = first !== undefined && 'text' in first ? first.text : '';
    const text = content.length === 1 ? stdout : blocksOfResult;
    const result = { tool_use_id: call.id, type: 'tool_result', content: text, is_error: false };
    this.#node('user', {
      message: { role: 'user', content: [result] },
      toolUseResult: { stdout, stderr: '', interrupted: false, isImage: content.length > 1 },
      sourceToolAssistantUUID: this.#parentUuid,
    });
    if (this.random.chance(0.1)) {
      this.#attach({ type: 'todo_reminder', content: [], itemCount: 0 });
    }
  }

  /** @param {ReturnType<Messages['toolResult']>['content'][number]} block */
  #toBlock(block) {
    if (!('data' in block)) return block;
    return {
      type: 'image',
      source: { type: 'base64', data: block.data, media_type: block.mimeType },
    };
  }

  /**
   * @param {object[]} blocks
   * @param {string} stopReason
   */
  #answer(blocks, stopReason) {
    this.wait(5000);
    const id = `msg_01${this.#uuid().replaceAll('-', '').slice(0, 22)}`;
    const requestId = `req_01${this.texts.base64(this.random, 22).replaceAll(/[+/]/g, 'x')}`;
    const usage = {
      input_tokens: 1 + this.random.below(12),
      cache_creation_input_tokens: Math.ceil(this.random.logNormal(700, 1)),
      cache_read_input_tokens: Math.ceil(this.file.bytes / 4) % 180_000,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: Math.ceil(this.random.logNormal(300, 0.8)),
      service_tier: 'standard',
    };
    for (const block of blocks) {
      const common = { model: MODELS[0], id, type: 'message', role: 'assistant' };
      const rest = { content: [block], stop_reason: stopReason, stop_sequence: null, usage };
      this.#node('assistant', { message: { ...common, ...rest }, requestId });
    }
  }

  #system() {
    const fields = {
      subtype: 'turn_duration',
      durationMs: this.random.below(90_000),
      isMeta: false,
    };
    this.#node('system', fields);
  }

  /** @param {object} attachment */
  #attach(attachment) {
    const text = this.messages.prose(700, 0.8);
    const rendered = [{ content: `<system-reminder>\n${text}\n</system-reminder>` }];
    this.#node('attachment', { attachment, rendered, renderedRole: 'system' });
  }

  /**
   * @param {string} type
   * @param {object} fields
   */
  #node(type, fields) {
    const uuid = this.#uuid();
    this.file.write({
      parentUuid: this.#parentUuid,
      isSidechain: false,
      ...fields,
      type,
      uuid,
      timestamp: this.time(),
      userType: 'external',
      entrypoint: 'cli',
      cwd: this.plan.cwd,
      sessionId: this.plan.id,
      version: '2.1.332',
      gitBranch: 'main',
    });
    this.#parentUuid = uuid;
  }

  /**
   * @param {string} type
   * @param {object} fields
   */
  #aside(type, fields) {
    this.file.write({ type, ...fields, sessionId: this.plan.id });
  }

  #uuid() {
    const hex = () => this.random.hex(4);
    return `${this.random.hex(8)}-${hex()}-4${this.random.hex(3)}-a${this.random.hex(3)}-${hex()}${this.random.hex(8)}`;
  }
}
