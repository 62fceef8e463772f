import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { NOW } from '../../memory-terminal.ts';
import { type Call, realFs as fs } from './fault-layer.mjs';
import { chooseCalls } from './choose-calls.ts';
import { type Files, TEMPORARY } from './sandbox.ts';
import { runUndisturbed, runWatched, type Scenario } from './walk.ts';

/** What another program does to a session file, between two calls of ours. */
export interface Interference {
  readonly name: string;
  readonly act: (path: string) => void;
  /** Whether what it wrote must be somewhere afterwards. */
  readonly writes: boolean;
  /** The time of the file stays as it was. */
  readonly isTimeless?: boolean;
}

const MARK = 'written-by-somebody-else';
const OTHER =
  `{"type":"session","version":3,"id":"${MARK}","timestamp":"2026-01-01T00:00:00.000Z",` +
  '"cwd":"/home/dev"}\n';
const LATE = `{"type":"custom","id":"1a7e0001","parentId":null,"timestamp":"x","customType":"${MARK}"}\n`;

export const INTERFERENCES: readonly Interference[] = [
  { name: 'grows', writes: true, act: (path) => fs.appendFileSync(path, LATE) },
  {
    name: 'is replaced',
    writes: true,
    act: (path) => {
      fs.writeFileSync(`${path}.other`, OTHER);
      fs.renameSync(`${path}.other`, path);
    },
  },
  {
    name: 'shrinks',
    writes: false,
    act: (path) => fs.truncateSync(path, Math.floor(fs.statSync(path).size / 2)),
  },
  {
    name: 'is rewritten in place, and longer',
    writes: true,
    act: (path) => fs.writeFileSync(path, rewriteText(fs.statSync(path).size + 1000)),
  },
  {
    name: 'is rewritten in place, its size and mtime as before',
    writes: true,
    isTimeless: true,
    act: (path) => {
      const { size, atime, mtime } = fs.statSync(path);
      fs.writeFileSync(path, rewriteText(size));
      fs.utimesSync(path, atime, mtime);
    },
  },
  { name: 'is deleted', writes: false, act: (path) => fs.unlinkSync(path) },
];

/** A session of so many bytes, which was in use just now. */
function rewriteText(bytes: number): string {
  const message = { role: 'user', content: 'x', timestamp: NOW };
  const entry = { type: 'message', id: '1a7e0001', parentId: null, message };
  const line = JSON.stringify({ ...entry, timestamp: new Date(NOW).toISOString() });
  const text = `${OTHER}${line}\n`;
  return text.padEnd(bytes - 1, ' ').padEnd(bytes, '\n');
}

interface Interfered {
  readonly runs: number;
  /** Those that came at the one moment for which nothing is promised. */
  readonly unpromised: number;
  readonly defects: readonly string[];
}

/** Lets a session change before every call that is chosen; what is wrong after each, in words. */
export async function walkInterference(
  scenario: Scenario,
  root: string,
  interference: Interference,
): Promise<Interfered> {
  const session = join(root, [...scenario.files.keys()][0] ?? 'none');
  const defects: string[] = [];
  let [runs, unpromised] = [0, 0];
  const { calls } = await runUndisturbed(scenario, root);
  for (const n of chooseCalls(calls, root, `${scenario.name}, ${interference.name}`)) {
    let acted: Call | undefined;
    let wasThere = false;
    let left = '';
    const { run, files, open } = await runWatched(scenario, root, (call) => {
      if (call.number !== n) return undefined;
      acted = call;
      wasThere = fs.existsSync(session);
      if (wasThere) left = interfere(session, interference);
      return undefined;
    });
    if (!acted) break;
    runs += 1;
    const found = judge(run.exitCode, files, open);
    if (run.exitCode === 0) found.push(...findBroken(scenario.files, files, left));
    const isLost = wasThere && interference.writes && !holdsMark(files);
    if (isLost && isLastMoment(acted, session, interference)) unpromised += 1;
    else if (isLost) found.push('what was written is gone');
    const where = `${interference.name} before call ${n}, ${acted.name} ${acted.path} ${acted.to}`;
    const end = `exit ${run.exitCode}, ${run.err.trim().split('\n').slice(0, 6).join(' | ')}`;
    defects.push(...found.map((one) => `${where}: ${one} (${end})`));
  }
  return { runs, unpromised, defects };
}

/** Done just now, by the clock of the run: that is what the grace time is for. Returns the text then. */
function interfere(session: string, { act, isTimeless }: Interference): string {
  act(session);
  if (!fs.existsSync(session)) return '';
  if (!isTimeless) fs.utimesSync(session, NOW / 1000, NOW / 1000);
  return fs.readFileSync(session, 'latin1');
}

function judge(exitCode: number, files: Files, open: readonly string[]): string[] {
  const defects: string[] = [];
  if (![0, 1, 2, 3].includes(exitCode)) defects.push('a crash');
  const left = [...files.keys()].filter((path) => TEMPORARY.test(path));
  if (left.length > 0) defects.push(`${left.join(' ')} is left`);
  if (open.length > 0) defects.push(`still open: ${open.join(' ')}`);
  return defects;
}

/**
 * New sessions with a line that is not JSON: made of something else than was read. A file that was
 * only moved, as the other program has left it, is not new.
 */
function findBroken(before: Files, after: Files, left: string): string[] {
  const made = [...after].filter(([path]) => path.endsWith('.jsonl') && !before.has(path));
  return made.flatMap(([path, { text }]) => {
    const isWhole = text.trimEnd().split('\n').every(isJson);
    return isWhole || text === left ? [] : [`${path} is broken`];
  });
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function holdsMark(files: Files): boolean {
  return [...files].some(([path, { text }]) => {
    const bytes = Buffer.from(text, 'latin1');
    return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).includes(MARK);
  });
}

/** Between the last look at a file and its end nobody can look again: POSIX has no such call. */
function isLastMoment({ name, path, to }: Call, session: string, { name: what }: Interference) {
  if (name === 'unlink') return path === session;
  const isWhole = what === 'is replaced' || what.startsWith('is rewritten');
  return isWhole && name === 'rename' && to === session;
}
