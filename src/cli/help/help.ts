import { ExitCode } from '../../errors.ts';
import type { AnyCommand, OptionSpecs } from '../../commands/command.ts';
import {
  configOptions,
  formatOptions,
  runOptions,
  cacheOptions,
  selectionOptions,
} from '../../commands/shared/options.ts';
import { getOption } from '../option-table.ts';
import { summarizerOptions } from '../../commands/shared/summarize/summarizer-options.ts';

const COMMON_EXIT_CODES: Readonly<Partial<Record<ExitCode, string>>> = {
  [ExitCode.ok]: 'success',
  [ExitCode.unusable]: 'could not run: usage error, configuration, no store',
  [ExitCode.partial]: 'some sessions failed; the rest is done',
};

function formatTargets({ withoutTargets = EVERY }: AnyCommand): string {
  return `Targets: session files, directories, globs, session ids, or unique prefixes of ids (at least 4
characters); - reads targets from standard input. ${withoutTargets}
Ages: 90min 12h 30d 2w 6mo 1y. Dates: ISO 8601. Sizes: 500kB 10MB 2GiB.`;
}

const EVERY = 'Default: every session of the default stores.';

const { summarizer: _, ...aboutSummarizers } = summarizerOptions;

/** Options that most commands have: a page that fits a screen only names them. */
const COMMON: OptionSpecs = {
  ...selectionOptions,
  ...cacheOptions,
  ...runOptions,
  ...formatOptions,
  ...configOptions,
  ...aboutSummarizers,
};

/** The head of `coppice --help`. */
export function formatOverview(): string {
  return `coppice <command> [targets..] [options]

Batch maintenance for the session files of coding agents: pi, Neovate Code, Claude
Code and Codex. Changes no existing session without --apply or validate --fix.`;
}

/** Formats the part below the options of a command's help page. */
export function formatEpilogue(command: AnyCommand, isShort: boolean): string {
  const common = isShort ? `${formatCommon(command)}\n\n` : '';
  return `${common}${formatExamples(command)}\n\n${formatTargets(command)}\n\n${formatExitCodes(command)}`;
}

/** The options that a short help page only names. */
export function findCommon({ options }: AnyCommand): readonly string[] {
  const all: OptionSpecs = { ...options, ...configOptions };
  return Object.keys(all).filter((name) => {
    const common = getOption(name, COMMON);
    const isCommon = common !== undefined && all[name]?.describe === common.describe;
    return isCommon || all[name]?.isRare === true;
  });
}

function formatCommon(command: AnyCommand): string {
  const names = findCommon(command).map((name) => `--${name}`);
  return `More options (see --help --all):\n${wrap(names)}`;
}

const LINE = 96;

function wrap(words: readonly string[]): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= LINE) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => `  ${line}`).join('\n');
}

/** The part below the commands on the page of coppice itself, which fits a small terminal. */
export const OVERVIEW_EPILOGUE = `Examples: coppice list; coppice prune --older-than 30d; coppice help prune

Exit codes: 0 success, 1 found something, 2 could not run, 3 some sessions
failed, 70 a bug in coppice; 130 stopped by Ctrl-C, 143 by SIGTERM`;

/** Formats the part below the options on the page of `completion`. */
export function formatCompletionEpilogue(): string {
  const examples = [
    { command: 'coppice completion bash >> ~/.bashrc', says: 'for bash' },
    { command: 'coppice completion fish | source', says: 'for this fish alone' },
    { command: 'coppice completion', says: 'for the shell that $SHELL names' },
  ];
  const exitCodes = {
    [ExitCode.unusable]: 'unknown shell',
    [ExitCode.partial]: undefined,
  };
  return `${formatExamples({ examples })}\n\n${formatExitCodes({ exitCodes })}`;
}

function formatExamples({ examples }: Pick<AnyCommand, 'examples'>): string {
  const lines = examples.map(({ command, says }) => `  ${command}  # ${says}`);
  return `Examples:\n${lines.join('\n')}`;
}

type ExitCodes = Readonly<Partial<Record<ExitCode, string | undefined>>>;

function formatExitCodes({ exitCodes }: { readonly exitCodes: ExitCodes }): string {
  const meanings = Object.entries({ ...COMMON_EXIT_CODES, ...exitCodes });
  const lines = meanings
    .flatMap(([code, meaning]) => (meaning === undefined ? [] : `  ${code}  ${meaning}`))
    .toSorted();
  lines.push('  70 a bug in coppice; 130 stopped by Ctrl-C, 143 by SIGTERM; every file is whole');
  return `Exit codes:\n${lines.join('\n')}`;
}

/** Takes out what yargs says of the types of options and of the default of flags, and the lines that say nothing else. */
export function withoutNoise(help: string): string {
  return help
    .replace(
      /(?:\n|(?<! )) *\[(?:boolean|string|number|array)\](?: \[default: false\])?(?=\n|$)/g,
      '',
    )
    .replace(/\[(?:boolean|string|number|array)\] (?=\[)/g, '');
}
