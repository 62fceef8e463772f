import { homedir } from 'node:os';
import { runCli } from './cli.ts';
import { ExitCode } from './errors.ts';
import { openTerminal } from './terminal.ts';

const SIGNALS = { SIGINT: ExitCode.interrupted, SIGTERM: ExitCode.terminated } as const;

/** The process edge: everything that is global to a process is touched here and nowhere else. */
export async function main(): Promise<void> {
  const terminal = openTerminal(process);
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

  const exitCode = await runCli(process.argv.slice(2), {
    terminal,
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    now: Date.now,
    signal: abort.signal,
  });
  process.exitCode = stoppedBy ?? exitCode;
}
