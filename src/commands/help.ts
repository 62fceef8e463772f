import { ExitCode } from '../errors.ts';
import type { AnyCommand } from './command.ts';

const COMMON_EXIT_CODES: Readonly<Record<ExitCode, string>> = {
  [ExitCode.ok]: 'well',
  [ExitCode.found]: 'ran, and found something',
  [ExitCode.unusable]: 'could not run: usage, configuration, no store',
  [ExitCode.partial]: 'ran; some sessions failed, the rest is done',
  [ExitCode.bug]: 'a bug in coppice',
  [ExitCode.interrupted]: 'stopped by Ctrl-C; every file is whole',
  [ExitCode.terminated]: 'stopped by SIGTERM; every file is whole',
};

const TARGETS = `Targets: session files, directories, globs, session ids or unique prefixes of one (4 characters
or more); - reads them from standard input. Without targets: every session of the default stores.
Ages: 90min 12h 30d 2w 6mo 1y. Dates: ISO 8601. Sizes: 500kB 10MB 2GiB.`;

/** The head of `coppice --help`. */
export function formatOverview(): string {
  return `coppice <command> [targets..] [options]

Batch maintenance for the session files of coding agents: pi and Neovate Code. Nothing is changed
unless you say so.`;
}

/** What stands below the options of a command's help page. */
export function formatEpilogue({ exitCodes }: Pick<AnyCommand, 'exitCodes'>): string {
  const meanings = new Map(Object.entries({ ...COMMON_EXIT_CODES, ...exitCodes }));
  const lines = Object.values(ExitCode).map(
    (code) => `  ${String(code).padEnd(3)}  ${meanings.get(String(code)) ?? ''}`,
  );
  return `${TARGETS}\n\nExit codes:\n${lines.join('\n')}`;
}
