import { BY_USER, type OptionSpecs } from '../../command.ts';
import { AT_ONCE } from '../../values.ts';
import { REQUESTS, TIMEOUT_MINUTES, WINDOW_TOKENS } from '../../../summarize/defaults.ts';

const SUMMARY = 'Summaries:';
export const OPENAI_URL = 'https://api.openai.com/v1';

/** Options that choose the summarizer, for all commands that need one. */
export const summarizerOptions = {
  summarizer: {
    inConfig: BY_USER,
    choices: ['extractive', 'openai', 'command'] as const,
    default: 'extractive',
    group: SUMMARY,
    describe:
      'Summarize offline from the session, with a model behind an endpoint, or with a program',
  },
  'summarizer-command': {
    needs: ['summarizer=command'],
    inConfig: BY_USER,
    type: 'string',
    value: '<command>',
    group: SUMMARY,
    describe: 'command: run this program; it reads the prompt from stdin and prints the summary',
  },
  'summarizer-model': {
    needs: ['summarizer=openai'],
    inConfig: BY_USER,
    type: 'string',
    value: '<model>',
    group: SUMMARY,
    describe: 'openai: use this model',
  },
  'base-url': {
    needs: ['summarizer=openai'],
    inConfig: BY_USER,
    type: 'string',
    value: '<url>',
    group: SUMMARY,
    defaultDescription: `OPENAI_BASE_URL, else ${OPENAI_URL}`,
    describe: 'openai: use this endpoint; any that implements chat completions',
  },
  'api-key-env': {
    needs: ['summarizer=openai'],
    inConfig: BY_USER,
    type: 'string',
    default: 'OPENAI_API_KEY',
    value: '<name>',
    group: SUMMARY,
    describe: 'openai: read the API key from this environment variable',
  },
  'summarizer-window': {
    needs: ['summarizer=openai', 'summarizer=command'],
    inConfig: BY_USER,
    type: 'number',
    default: WINDOW_TOKENS,
    value: '<n>',
    group: SUMMARY,
    describe: 'Send at most this many tokens at once; longer histories are summarized in parts',
  },
  'summarizer-timeout': {
    needs: ['summarizer=openai', 'summarizer=command'],
    inConfig: BY_USER,
    type: 'string',
    default: `${TIMEOUT_MINUTES}min`,
    value: '<time>',
    group: SUMMARY,
    describe: 'Wait this long for one answer',
  },
  requests: {
    needs: ['summarizer=openai'],
    inConfig: BY_USER,
    type: 'number',
    range: AT_ONCE,
    default: REQUESTS,
    value: '<n>',
    group: SUMMARY,
    describe: 'openai: send up to <n> requests at once',
  },
  price: {
    needs: ['summarizer=openai'],
    inConfig: BY_USER,
    type: 'string',
    value: '<in>/<out>',
    group: SUMMARY,
    describe:
      'openai: compute the cost from US dollars per million tokens, as <input>/<output>, such as 0.25/2',
  },
} as const satisfies OptionSpecs;
