import { BY_USER } from './configurable.ts';
import type { OptionSpecs } from './command.ts';

const SUMMARY = 'Summaries:';

/** Who makes the summaries; common to the commands that need some. */
export const summarizerOptions = {
  summarizer: {
    inConfig: BY_USER,
    choices: ['extractive', 'openai', 'command'] as const,
    default: 'extractive',
    group: SUMMARY,
    describe: 'Offline from the session itself; a model behind an endpoint; any program',
  },
  'summarizer-command': {
    inConfig: BY_USER,
    type: 'string',
    group: SUMMARY,
    describe: 'For command: gets the prompt on stdin, prints the summary',
  },
  'summarizer-model': {
    inConfig: BY_USER,
    type: 'string',
    group: SUMMARY,
    describe: 'For openai: the model',
  },
  'base-url': {
    inConfig: BY_USER,
    type: 'string',
    group: SUMMARY,
    defaultDescription: 'OPENAI_BASE_URL, else https://api.openai.com/v1',
    describe: 'For openai: any endpoint that speaks chat completions',
  },
  'api-key-env': {
    inConfig: BY_USER,
    type: 'string',
    default: 'OPENAI_API_KEY',
    group: SUMMARY,
    describe: 'For openai: the environment variable that holds the key',
  },
  'summarizer-window': {
    inConfig: BY_USER,
    type: 'number',
    default: 128_000,
    group: SUMMARY,
    describe: 'Tokens that this model takes; longer histories go in piece by piece',
  },
  'summarizer-timeout': {
    inConfig: BY_USER,
    type: 'string',
    default: '5min',
    group: SUMMARY,
    describe: 'How long one answer may take',
  },
  requests: {
    inConfig: BY_USER,
    type: 'number',
    default: 4,
    group: SUMMARY,
    describe: 'For openai: how many requests run at once',
  },
  price: {
    inConfig: BY_USER,
    type: 'string',
    group: SUMMARY,
    describe: 'For openai: US dollars per million tokens, <input>/<output>, as 0.25/2',
  },
} as const satisfies OptionSpecs;
