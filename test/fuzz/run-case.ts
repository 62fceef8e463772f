import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runTest } from '../memory-terminal.ts';

/** No command on a file of a few kilobytes takes as long as this, on any machine. */
/** Of the time of the processor, which a busy machine does not make longer. */
const MAX_MS = 10_000;
const LONG_AGO = new Date('2026-04-01T00:00:00Z');
const EXITS: ReadonlySet<number> = new Set([0, 1, 2, 3]);

/** Runs one command on one file; what is wrong with how it went, in words. */
export async function runCase(
  root: string,
  argv: readonly string[],
  bytes: Buffer,
  reads: boolean,
): Promise<readonly string[]> {
  const path = join(root, 'store', 's.jsonl');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes, { mode: 0o640 });
  // In use lately, it would be waited for.
  utimesSync(path, LONG_AGO, LONG_AGO);
  note(argv, bytes);
  const began = process.cpuUsage();
  const { exitCode, out, err } = await runTest(argv, { cwd: root, home: join(root, 'home') });
  const { user, system } = process.cpuUsage(began);
  const took = (user + system) / 1000;
  const defects: string[] = [];
  if (!EXITS.has(exitCode)) defects.push(`exit ${exitCode}: ${err}`);
  if (took > MAX_MS) defects.push(`took ${Math.round(took)} ms`);
  if (argv.includes('--json') && exitCode !== 2 && !isJson(out)) defects.push('is not JSON');
  const files = listFiles(root);
  if (reads && !(files.length === 1 && readFileSync(path).equals(bytes))) {
    defects.push(`wrote: ${files.join(' ')}`);
  }
  const left = files.filter((name) => name.endsWith('.coppice-tmp'));
  if (left.length > 0) defects.push(`left: ${left.join(' ')}`);
  // oxlint-disable-next-line no-control-regex -- what a terminal would obey
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(err)) defects.push('obeys the file');
  return defects;
}

/** For the watchdog, which says what was running when a case does not end. */
function note(argv: readonly string[], bytes: Buffer): void {
  const path = process.env['COPPICE_FUZZ_NOTE'];
  if (path === undefined) return;
  writeFileSync(path, JSON.stringify({ argv, bytes: bytes.toString('latin1') }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function listFiles(root: string): readonly string[] {
  if (!existsSync(root)) return [];
  const found = readdirSync(root, { recursive: true, withFileTypes: true });
  return found
    .filter((one) => !one.isDirectory())
    .map((one) => relative(root, join(one.parentPath, one.name)));
}
