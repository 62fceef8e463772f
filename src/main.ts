import { homedir } from 'node:os';
import { v7 } from 'uuid';
import { ExitCode } from './errors.ts';
import { readHelpPage } from './help-page.ts';
import { openTerminal } from './terminal.ts';
import { readVersion } from './version.ts';

const SIGNALS = { SIGINT: ExitCode.interrupted, SIGTERM: ExitCode.terminated } as const;

/** The process edge: everything that is global to a process is touched here and nowhere else. */
export async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  const terminal = openTerminal(process);
  // These need nothing of what would take most of the time.
  if (argv.length === 1 && argv[0] === '--version') return terminal.out.write(`${readVersion()}\n`);
  const page = readHelpPage(argv, terminal.out.columns);
  if (page !== undefined) return terminal.out.write(page);
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

  const { runCli } = await import('./cli.ts');
  const exitCode = await runCli(argv, {
    terminal,
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    now: Date.now,
    createId: () => v7(),
    signal: abort.signal,
  });
  process.exitCode = stoppedBy ?? exitCode;
}
