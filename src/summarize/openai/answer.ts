import {
  getNumber,
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
} from '../../session/jsonl/edit/json.ts';
import { SummaryError } from '../../session/model/text/summarizer.ts';
import type { Usage } from '../../session/model/usage.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/** An answer of chat completions, put together from a stream or taken whole. */
export class Answer {
  text = '';
  #finishReason: string | undefined;
  #usage: JsonObject | undefined;

  /** Takes the pieces of a stream, or one whole completion. */
  add(piece: JsonObject): void {
    const error = piece['error'];
    if (error) throw new SummaryError(`the endpoint says: ${getErrorText(error)}`);
    this.#usage = getObject(piece, 'usage') ?? this.#usage;
    const { choices } = piece;
    const [choice] = isArray(choices) ? choices : [];
    if (!isObject(choice)) return;
    this.#finishReason = getString(choice, 'finish_reason') ?? this.#finishReason;
    const message = getObject(choice, 'delta') ?? getObject(choice, 'message');
    this.text += (message && getString(message, 'content')) ?? '';
  }

  /** @throws SummaryError unless the model has said all it had to say. */
  check(): void {
    if (this.#finishReason === 'length')
      throw new SummaryError('the answer was cut off at its limit');
    if (this.#finishReason === undefined) throw new SummaryError('the answer broke off');
    if (this.#finishReason !== 'stop') {
      throw new SummaryError(`the answer ended with ${this.#finishReason.slice(0, 40)}`);
    }
    if (this.text.trim() === '') throw new SummaryError('the answer is empty');
  }

  /** Undefined when the endpoint does not report it. The cost is the endpoint's own, or by the price. */
  getUsage(price: Price | undefined): Usage | undefined {
    const usage = this.#usage;
    if (!usage) return undefined;
    const count = (key: string, from: JsonObject = usage): number => {
      const found = getNumber(from, key);
      return isCount(found) ? found : 0;
    };
    const prompt = count('prompt_tokens');
    const cacheRead = count('cached_tokens', getObject(usage, 'prompt_tokens_details') ?? {});
    const output = count('completion_tokens');
    const input = Math.max(prompt - cacheRead, 0);
    const reckoned = price ? (prompt * price.input + output * price.output) / 1e6 : 0;
    const stated = getNumber(usage, 'cost');
    const cost = stated !== undefined && stated >= 0 && stated <= MAX_COST ? stated : reckoned;
    return { input, output, cacheRead, cacheWrite: 0, totalTokens: prompt + output, cost };
  }
}

/** A cost in dollars that no summary has; costs are recorded and summed up. */
const MAX_COST = 1e6;

/** An endpoint can say any number. */
function isCount(value: number | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Formats the error of an endpoint in a few words. */
export function getErrorText(error: unknown): string {
  const message = isObject(error) ? (getString(error, 'message') ?? '') : String(error);
  return message.slice(0, 300) || 'an error without a message';
}
