import { homedir } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { v7 } from 'uuid';
import { ExitCode } from './errors.ts';
import { openTerminal } from './terminal.ts';
import { readVersion } from './version.ts';

const SIGNALS = { SIGINT: ExitCode.interrupted, SIGTERM: ExitCode.terminated } as const;

/**
 * Left alone, V8 lets the heap grow to several times of what lives in it. A batch tool runs beside
 * other work, on machines of any size: this keeps a run over gigabytes below 200 MB, for a tenth
 * more of CPU time. Less growth would cost far more where many sessions are kept in memory.
 * Node 20 to 24 know these flags.
 */
const MODEST_HEAP = ['--heap-growing-percent=150', '--semi-space-growth-factor=1'] as const;

/** The process edge: everything that is global to a process is touched here and nowhere else. */
export async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  const terminal = openTerminal(process);
  // Asked by scripts before anything else, and needs nothing of what would take most of the time.
  if (argv.length === 1 && argv[0] === '--version') return terminal.out.write(`${readVersion()}\n`);
  for (const flag of MODEST_HEAP) setFlagsFromString(flag);
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
