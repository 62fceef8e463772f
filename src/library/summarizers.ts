import type { Summarizer } from '../session/model/text/summarizer.ts';
import { createCommand as command, type CommandOptions } from '../summarize/command.ts';
import { REQUESTS, TIMEOUT_MINUTES, WINDOW_TOKENS } from '../summarize/defaults.ts';
import { createOpenAi as openAi, type OpenAiOptions } from '../summarize/openai/openai.ts';
import { findUrlFault } from '../summarize/openai/url-fault.ts';
import { check, checkOptions, withoutUndefined } from './arguments.ts';

const DEFAULTS = { windowTokens: WINDOW_TOKENS, timeoutMs: TIMEOUT_MINUTES * 60_000 } as const;

/** Asks an endpoint that speaks OpenAI's chat completions. @throws TypeError for a wrong option. */
export function createOpenAi(
  options: Partial<OpenAiOptions> & Pick<OpenAiOptions, 'baseUrl' | 'model'>,
): Summarizer {
  checkOptions(options, {
    baseUrl: 'path',
    model: 'path',
    apiKey: 'text',
    windowTokens: 'count',
    timeoutMs: 'amount',
    concurrency: 'count',
    price: 'object',
    sleep: 'function',
  });
  for (const name of ['baseUrl', 'model'] as const) check(name, 'text', options[name]);
  const fault = findUrlFault(options.baseUrl);
  if (fault !== undefined) throw new TypeError(`baseUrl: ${fault}`);
  const { concurrency = REQUESTS, price } = options;
  if (concurrency < 1)
    throw new TypeError('concurrency: expected a whole number, 1 or more; got 0');
  for (const name of ['input', 'output'] as const) {
    if (price) check(`price.${name}`, 'amount', price[name]);
  }
  const given = withoutUndefined(options);
  return openAi({ apiKey: undefined, concurrency: REQUESTS, ...DEFAULTS, ...given });
}

/**
 * Lets any program make the summary: the prompt on its stdin, the summary on its stdout; limits in
 * tokens and milliseconds. @throws TypeError for a wrong option.
 */
export function createCommand(
  options: Partial<CommandOptions> & Pick<CommandOptions, 'command'>,
): Summarizer {
  checkOptions(options, {
    command: 'text',
    env: 'object',
    cwd: 'path',
    windowTokens: 'count',
    timeoutMs: 'amount',
  });
  check('command', 'text', options.command);
  if (options.command.trim() === '')
    throw new TypeError('command: expected a program; got a blank');
  const given = withoutUndefined(options);
  return command({ env: process.env, cwd: process.cwd(), ...DEFAULTS, ...given });
}
