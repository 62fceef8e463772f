import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { inspect } from 'node:util';
import { v7 } from 'uuid';
import { ExitCode } from '../errors.ts';
import { readHelpPage } from './help/help-page.ts';
import { openTerminal } from './terminal.ts';
import { formatBug } from '../report/text/format-bug.ts';
import { readVersion } from '../package.ts';
import type { Terminal } from '../commands/command.ts';

const SIGNALS = { SIGINT: ExitCode.interrupted, SIGTERM: ExitCode.terminated } as const;

/** The process edge: everything that is global to a process is touched here and nowhere else. */
export async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  const terminal = openTerminal(process);
  // Node would print the line of code that threw, and a bundle has long lines.
  process.on('uncaughtException', (error) => {
    process.stderr.write(formatBug(error));
    process.exit(ExitCode.bug);
  });
  // These need nothing of what would take most of the time.
  const isVersion = argv.length === 1 && argv[0] === '--version';
  const page = isVersion ? `${readVersion()}\n` : readHelpPage(argv, terminal.out.columns);
  if (page !== undefined) {
    process.exitCode = await writePage(page, terminal);
    return;
  }
  const places = findPlaces();
  if (typeof places === 'string') {
    await terminal.err.write(`coppice: ${places}\n`);
    process.exitCode = ExitCode.unusable;
    return;
  }
  const abort = new AbortController();
  let stoppedBy: ExitCode | undefined;
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      // A second signal does not wait for the file in hand.
      if (stoppedBy !== undefined) process.exit(code);
      stoppedBy = code;
      abort.abort();
    });
  }

  const { runCli } = await import('./run-cli.ts');
  const exitCode = await runCli(argv, {
    terminal,
    env: process.env,
    ...places,
    now: Date.now,
    createId: () => v7(),
    signal: abort.signal,
  });
  process.exitCode = stoppedBy ?? exitCode;
}

/** The directories that a run begins in; what to do instead where one of them cannot be used. */
function findPlaces(): { readonly cwd: string; readonly home: string } | string {
  const cwd = findCwd();
  if (cwd === undefined) return 'the current directory is gone; change to another one';
  // An empty or relative HOME would make the configuration of a project the user's own.
  const home = homedir();
  return isAbsolute(home) ? { cwd, home } : `HOME is not an absolute path: ${inspect(home)}`;
}

/** Undefined where somebody has removed it. yargs asks for it, too, as soon as it is loaded. */
function findCwd(): string | undefined {
  try {
    return process.cwd();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writePage(page: string, { out, err }: Terminal): Promise<ExitCode> {
  await out.write(page);
  const failure = await out.flush();
  if (failure === undefined) return ExitCode.ok;
  await err.write(`coppice: standard output: ${failure}\n`);
  return ExitCode.unusable;
}
