import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LAST_YEAR = new Date('2025-06-01T00:00:00.000Z');

/** A line of v1, about 1 kB long. */
function makeEntry(number: number): string {
  const content = `${number} ${'\\"some text\\" '.repeat(60)}`;
  const time = new Date(1_735_689_600_000 + number * 1000).toISOString();
  const message = `{"role":"user","content":"${content}","timestamp":${Date.parse(time)}}`;
  return `{"type":"message","timestamp":"${time}","message":${message}}\n`;
}

/** A session of v1. */
export function makeSession(entries: number): string {
  const header = '{"type":"session","id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/p"}\n';
  return header + Array.from({ length: entries }, (_, number) => makeEntry(number)).join('');
}

/** Files of v1 in several directories, by path; written anew by `reset`. */
export function makeStore(dir: string, sessions: number, entries: number) {
  const files = new Map<string, string>();
  for (let at = 0; at < sessions; at += 1) {
    const directory = join(dir, `--p${at % 5}--`);
    mkdirSync(directory, { recursive: true });
    files.set(join(directory, `${at}.jsonl`), makeSession(entries + (at % 7)));
  }
  const reset = (): void => {
    for (const [path, text] of files) {
      writeFileSync(path, text);
      utimesSync(path, LAST_YEAR, LAST_YEAR);
    }
  };
  reset();
  return { files, reset };
}

/** Everything below a directory that is a file. */
export function listFiles(dir: string): string[] {
  const found = readdirSync(dir, { recursive: true, withFileTypes: true });
  return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}

export function readAll(paths: Iterable<string>): Map<string, string> {
  return new Map([...paths].map((path) => [path, readFileSync(path, 'utf8')]));
}
