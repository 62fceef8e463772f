import { mkdir, mkdtemp, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new directory that goes away with the test. */
export async function makeTempDir(): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'coppice-test-')));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** A new directory in which the test's own temporary files are made; other tests run at the same time. */
export async function useOwnTempDir(): Promise<string> {
  const dir = await makeTempDir();
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) {
    const before = process.env[name];
    process.env[name] = dir;
    onTestFinished(() => {
      if (before === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before;
    });
  }
  return dir;
}

/** Writes files by relative path; lines of a list are joined and ended by LF. */
export async function writeFiles(
  dir: string,
  files: Readonly<Record<string, string | Buffer | readonly object[]>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name);
    await mkdir(dirname(path), { recursive: true });
    const isLines = typeof content !== 'string' && !Buffer.isBuffer(content);
    await writeFile(path, isLines ? toJsonl(content) : content);
  }
}

/** Sets the times of files to a day in the past, so that no answer depends on when they were made. */
export async function makeOld(paths: readonly string[]): Promise<void> {
  const day = new Date('2026-01-05T00:00:00Z');
  for (const path of paths) await utimes(path, day, day);
}

export function toJsonl(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Returns once the clock of the disk has moved on, so that another write has another ctime. */
export async function waitForTick(path: string): Promise<void> {
  const { ctimeMs } = await stat(path);
  const probe = `${path}.tick`;
  do await writeFile(probe, '');
  while ((await stat(probe)).ctimeMs === ctimeMs);
  await rm(probe);
}
