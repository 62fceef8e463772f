// @ts-check
import { Author } from './author.mjs';

/** @import { LineFile } from './line-file.mjs' */
/** @import { SessionPlan } from './plan.mjs' */
/** @import { Texts } from './text.mjs' */

const MODEL = 'gpt-5.2-codex';

/**
 * Writes one rollout as Codex 0.169 would have: what the model is sent, and beside each of it what a
 * person is shown. Returns its last time.
 * @param {SessionPlan} plan
 * @param {Texts} texts
 * @param {LineFile} file
 */
export function writeCodex(plan, texts, file) {
  const author = new CodexAuthor(plan, texts, file);
  author.begin();
  while (file.bytes < plan.bytes) author.writeTurn();
  return author.clock;
}

class CodexAuthor extends Author {
  #ordinal = 0;
  #turnId = '';

  begin() {
    const { id, cwd } = this.plan;
    this.#write('session_meta', {
      id,
      timestamp: this.time(),
      cwd,
      originator: 'codex_cli_rs',
      cli_version: '0.169.0',
      source: 'cli',
      model_provider: 'openai',
      base_instructions: { text: this.texts.prose(this.random, 12_000) },
      history_mode: 'paginated',
      git: { branch: 'main' },
    });
  }

  writeTurn() {
    this.wait(60_000);
    this.#turnId = `${this.random.hex(8)}-0000-7000-8000-${this.random.hex(8)}0000`;
    const turn = { turn_id: this.#turnId };
    const { cwd } = this.plan;
    this.#event('task_started', { ...turn, started_at: Math.floor(this.clock / 1000) });
    const state = { model: MODEL, environments: { local: { cwd, shell: 'bash' } } };
    this.#write('world_state', { full: true, state });
    this.#write('turn_context', { ...turn, cwd, approval_policy: 'never', model: MODEL });
    const text = this.messages.prose(140, 0.9);
    this.#message('user', 'input_text', text);
    this.#item('UserMessage', { content: [{ type: 'text', text, text_elements: [] }] });
    const steps = Math.ceil(this.random.logNormal(5, 0.9));
    for (let step = 0; step < steps && this.room > 0; step += 1) this.#writeStep();
    const answer = this.messages.prose(600, 0.9);
    this.#message('assistant', 'output_text', answer);
    this.#item('AgentMessage', { content: [{ type: 'Text', text: answer }] });
    this.#event('task_complete', { ...turn, last_agent_message: answer });
  }

  #writeStep() {
    this.wait(5000);
    const sealed = this.texts.base64(this.random, 800 + this.random.below(1600));
    this.#respond('reasoning', { summary: [], encrypted_content: sealed });
    const call = this.messages.toolCall(this.plan.cwd, this.room);
    const callId = `call_${this.random.hex(8)}${this.random.hex(8)}`;
    const fields = { name: 'exec_command', arguments: JSON.stringify(call.arguments) };
    this.#respond('function_call', { ...fields, call_id: callId });
    this.wait(2000);
    const content = this.messages.toolResult(call, this.room, this.clock).content;
    const output = content.map((block) => ('text' in block ? block.text : block.data)).join('\n');
    const isImage = content.length > 1;
    const url = `data:image/png;base64,${output}`;
    const parts = [{ type: 'input_image', image_url: url }];
    this.#respond('function_call_output', { call_id: callId, output: isImage ? parts : output });
    this.#item('CommandExecution', {
      command: ['bash', '-lc', 'run'],
      aggregated_output: isImage ? '' : output,
      exit_code: 0,
      duration_ms: 120,
    });
    this.#count();
  }

  #count() {
    const input = Math.ceil(this.file.bytes / 4) % 180_000;
    const usage = {
      input_tokens: input,
      cached_input_tokens: Math.floor(input * 0.9),
      cache_write_input_tokens: 0,
      output_tokens: this.random.below(900),
      reasoning_output_tokens: 0,
      total_tokens: input,
    };
    const turn = { thread_id: this.plan.id, turn_id: this.#turnId };
    const response = { ...turn, response_id: `resp_${this.random.hex(8)}${this.random.hex(8)}` };
    this.#write('token_usage_record', { ...response, usage, turn_token_usage: usage });
    const info = { total_token_usage: usage, last_token_usage: usage };
    this.#event('token_count', { info, rate_limits: { limit_id: 'codex', primary: null } });
  }

  /**
   * @param {string} role
   * @param {string} kind
   * @param {string} text
   */
  #message(role, kind, text) {
    const kinds = { content_item_kinds: [role === 'user' ? 'user.text' : 'unknown'] };
    const passthrough = { turn_id: this.#turnId, ...kinds };
    this.#respond('message', {
      id: `msg_${this.random.hex(8)}`,
      role,
      content: [{ type: kind, text }],
      internal_chat_message_metadata_passthrough: passthrough,
    });
  }

  /**
   * @param {string} type
   * @param {object} fields
   */
  #item(type, fields) {
    const item = { type, id: `item_${this.random.hex(8)}`, ...fields };
    this.#event('item_completed', { thread_id: this.plan.id, turn_id: this.#turnId, item });
  }

  /**
   * @param {string} type
   * @param {object} fields
   */
  #respond(type, fields) {
    this.#write('response_item', { type, ...fields });
  }

  /**
   * @param {string} type
   * @param {object} fields
   */
  #event(type, fields) {
    this.#write('event_msg', { type, ...fields });
  }

  /**
   * @param {string} type
   * @param {object} payload
   */
  #write(type, payload) {
    this.file.write({ timestamp: this.time(), ordinal: this.#ordinal, type, payload });
    this.#ordinal += 1;
  }
}
