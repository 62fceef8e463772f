import { UsageError } from '../../../errors.ts';
import type { Summarizer } from '../../../session/model/text/summarizer.ts';
import { createCommand } from '../../../summarize/command.ts';
import { extractive } from '../../../summarize/extractive/extractive.ts';
import type { Price } from '../../../summarize/openai/answer.ts';
import { createOpenAi } from '../../../summarize/openai/openai.ts';
import { findUrlFault } from '../../../summarize/openai/url-fault.ts';
import { parseAge } from '../../../store/select/age.ts';
import type { Args, Context } from '../../command.ts';
import { OPENAI_URL, type summarizerOptions } from './summarizer-options.ts';

type SummarizerArgs = Args<typeof summarizerOptions>;

/**
 * Makes the summarizer that the options ask for. Every one but `extractive` costs time and money.
 * @throws UsageError when something is missing or makes no sense.
 */
function createSummarizer(args: SummarizerArgs, context: Context): Summarizer {
  const timeoutMs = parseAge(args['summarizer-timeout'], '--summarizer-timeout', context.now());
  const windowTokens = args['summarizer-window'];
  const command = args['summarizer-command'];
  if (args.summarizer === 'extractive') return extractive;
  if (args.summarizer === 'openai') return openOpenAi(args, context, { timeoutMs, windowTokens });
  if (command === undefined || command.trim() === '') {
    throw new UsageError("--summarizer command: needs --summarizer-command '<program>'");
  }
  const { env, cwd } = context;
  return createCommand({ command, env, cwd, windowTokens, timeoutMs });
}

/**
 * Makes the summarizer that the options ask for; undefined in a preview, which must not cost anything, unless it is free.
 * @throws UsageError as `createSummarizer` does.
 */
export function createSummarizerFor(
  args: SummarizerArgs,
  { apply }: { readonly apply: boolean },
  context: Context,
): Summarizer | undefined {
  const summarizer = createSummarizer(args, context);
  return apply || args.summarizer === 'extractive' ? summarizer : undefined;
}

function openOpenAi(
  args: SummarizerArgs,
  { env }: Context,
  limits: { timeoutMs: number; windowTokens: number },
): Summarizer {
  const model = args['summarizer-model'];
  if (model === undefined) throw new UsageError('--summarizer openai: needs --summarizer-model');
  const baseUrl = args['base-url'] ?? env['OPENAI_BASE_URL'] ?? OPENAI_URL;
  const given = args['base-url'];
  const option = given === undefined ? 'OPENAI_BASE_URL' : '--base-url';
  const fault = findUrlFault(baseUrl);
  if (fault !== undefined) {
    // An address may hold a password, and one from the environment is nothing that the user has just written.
    const isShown = given !== undefined && !given.includes('@');
    throw new UsageError(`${isShown ? `${option} ${given}` : option}: ${fault}`);
  }
  const keyName = args['api-key-env'];
  const apiKey = env[keyName] || undefined;
  if (apiKey === undefined && baseUrl === OPENAI_URL) {
    throw new UsageError(`--summarizer openai: the environment variable ${keyName} holds no key`);
  }
  const price = parsePrice(args.price);
  return createOpenAi({ baseUrl, model, apiKey, ...limits, concurrency: args.requests, price });
}

function parsePrice(text: string | undefined): Price | undefined {
  if (text === undefined) return undefined;
  const [, input, output] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (input === undefined || output === undefined) {
    throw new UsageError(`--price ${text}: expected <input>/<output>, such as 0.25/2`);
  }
  return { input: Number(input), output: Number(output) };
}
