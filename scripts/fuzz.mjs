// @ts-check
// A long fuzz run: npm run fuzz -- [--cases 100000] [--seed 1]. Ends a case that does not end.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const STUCK_MS = 60_000;

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const seed = values.seed ?? String(Date.now() % 2 ** 31);
const directory = mkdtempSync(join(tmpdir(), 'coppice-fuzz-note-'));
const note = join(directory, 'case.json');
process.stdout.write(`${values.cases} cases, seed ${seed}\n`);
const child = spawn('npx', ['vitest', 'run', '--project', 'fuzz'], {
  stdio: 'inherit',
  detached: true,
  env: {
    ...process.env,
    COPPICE_FUZZ_CASES: values.cases,
    COPPICE_FUZZ_SEED: seed,
    COPPICE_FUZZ_NOTE: note,
  },
});

// In a group of its own, so that its threads end with it: signals have to be handed on.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => child.pid !== undefined && process.kill(-child.pid, signal));
}

const watchdog = setInterval(() => {
  const { mtimeMs } = statSync(note, { throwIfNoEntry: false }) ?? {};
  if (mtimeMs === undefined || Date.now() - mtimeMs < STUCK_MS) return;
  process.stdout.write(`does not end: ${readFileSync(note, 'utf8')}\n`);
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
}, 5000);

child.on('close', (code) => {
  clearInterval(watchdog);
  rmSync(directory, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
