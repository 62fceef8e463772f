import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeTempDir } from '../temp-dir.ts';
import { type RunProgram, runHere, runOnWindows, toWindowsPath } from './node-exe.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));
const SAMPLES = fileURLToPath(new URL('../../samples/sessions', import.meta.url));
const LONG_AGO = new Date('2026-07-01T08:30:00.123Z');

/** Commands that follow each other; every one in a directory with the sessions in `store`. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  'list, in every form': [
    'list --json',
    'list --usage --format ndjson',
    'list --by project --json',
    'list --by model --json',
    'list --lineage --json',
    'list --sort size',
    'list --project /home/dev/src --json',
    'list store/--home-dev-src-api--/*.jsonl --json',
    'list 019df25e --entries --json',
    'list 019df25e --info --json',
  ],
  'validate, in every format': [
    'validate --json',
    'validate --format pretty',
    'validate --format sarif',
    'validate --format junit',
    'validate --format gitlab',
    'validate --format github',
    'validate --fix --json',
    'validate --json',
  ],
  'migrate, in place, with a backup, to another place and for a moved project': [
    'migrate --check --json',
    'migrate --out out --apply --json',
    'migrate --backup .bak --apply --json',
    'migrate --cwd /home/dev/src=/srv/src --apply --json',
    'migrate --cwd /srv=D:\\work --apply --json',
    'migrate --check --json',
  ],
  fork: [
    'fork 019df25e --json',
    'fork 019df25e --points --json',
    'fork store/recorded --out forks --id one --json',
    'fork store/recorded/0.30.2-every-message.jsonl --out forks --each-leaf --json',
    'fork 019df25e --cwd /home/dev/elsewhere --name again --json',
    'fork 019df25e --in-place --at 2 --apply --json',
  ],
  'compact, with a summary': [
    'compact --force --keep-recent-tokens 1 --json',
    'compact --force --keep-recent-tokens 1 --apply --json',
  ],
  'compact, with images and other reducers': [
    'compact --images extract --apply --json',
    'compact --images restore --apply --json',
    'compact --images drop --apply --json',
    'compact --tool-output 100B --apply --json',
    'compact --superseded-state --apply --json',
    'compact --abandoned-branches --summarized --apply --json',
  ],
  'prune, to an archive and back, and for good': [
    'prune --older-than 30d --json',
    'prune --keep-last 2 --plan-out plan --json',
    'compact --images extract --apply --json',
    'prune --older-than 30d --allow-empty --apply --archive archive --json',
    'prune --archive archive --list --json',
    'prune --archive archive --restore all --json',
    'prune --older-than 30d --keep-last 3 --apply --delete --json',
  ],
  'export, in every format': [
    'export --as md --out md --json',
    'export --as md --out md --json',
    'export --as html --out html --json',
    'export --as jsonl --out jsonl --json',
    'export --as text --out text --json',
    'export --as json --out json --json',
    'export --as chat --out chat --json',
    'export --as atif --out atif --json',
    'export --as sts --out sts --json',
    'export --as parquet --out parquet --json',
    'export --as md 019df25e',
  ],
};

/** Commands that take the grace time into account. */
const CHANGES = /^(?:migrate|compact|prune|fork .*--in-place)/;

function toArguments(line: string): readonly string[] {
  const words = line.split(' ');
  const store = line.includes('store/') ? [] : ['--store', 'store'];
  const isPruneBack = line.includes('--list');
  const grace =
    CHANGES.test(line) && !/--(?:check|list|restore)/.test(line) ? ['--grace', '0s'] : [];
  return [...words, ...(isPruneBack ? [] : store), ...grace, '--jobs', '1'];
}

/** Recorded sessions of every version and both agents, and the samples, long unchanged. */
function makeWorld(dir: string): void {
  const store = join(dir, 'store');
  cpSync(SAMPLES, store, { recursive: true });
  for (const name of ['recorded', 'neovate', 'refused']) {
    cpSync(join(FIXTURES, name), join(store, name), { recursive: true });
  }
  mkdirSync(join(dir, 'home'));
  setTimes(store);
}

function setTimes(path: string): void {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path)) setTimes(join(path, name));
  }
  utimesSync(path, LONG_AGO, LONG_AGO);
}

/** The files below a directory by their names, with what is in them. */
function readWorld(dir: string): ReadonlyMap<string, string> {
  const found = new Map<string, readonly string[]>();
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(dir.length + 1);
    // Each system has its own place for caches: places.test.ts.
    if (name === 'home' || name.startsWith('home/')) continue;
    const key = unify(name, dir);
    const text = entry.isFile() ? unify(readComparable(path), dir) : 'a directory';
    found.set(key, [...(found.get(key) ?? []), text]);
  }
  // Sessions of one id are told apart by the hash alone.
  return new Map([...found].map(([key, texts]) => [key, texts.toSorted().join('\n')]));
}

/** What an archive or an export is called by, beside its session: hashes of paths and times of files. */
const HASHES = /_[0-9a-f]{16}(?=\.\w)|-[0-9a-f]{24}(?=\.tar\.gz)/g;
/** Of files in which there are paths, which are longer here or there. */
const SIZES = /"(?:bytesAfter|bytesReclaimed|bytesWritten|archivedBytes)": ?-?\d+/g;

/** What a command has printed or written, with other names for what differs from place to place. */
function unify(text: string, dir: string): string {
  const windows = toWindowsPath(dir);
  const forms = [JSON.stringify(windows).slice(1, -1), windows, dir];
  return forms
    .reduce((one, form) => one.split(form).join('<dir>'), text)
    .replace(/<dir>[^"'\s]*/g, (path) => path.replaceAll(/\\+/g, '/'))
    .replaceAll(HASHES, '<hash>')
    .replaceAll(SIZES, '<size>');
}

/** The bytes of a file; of a member of an archive the files in it, without what is said of them. */
function readComparable(path: string): string {
  const bytes = readFileSync(path);
  if (!path.endsWith('.tar.gz')) return bytes.toString('latin1');
  const names = unzipTar(gunzipSync(bytes));
  return names
    .filter(([name]) => name !== 'coppice.json')
    .flat()
    .join('\n');
}

/** Names and contents, in order. */
function unzipTar(tar: Buffer): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (let at = 0; tar[at];) {
    const text = (start: number, length: number): string =>
      tar.toString('latin1', at + start, at + start + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12), 8);
    found.push([text(0, 100), tar.toString('latin1', at + 512, at + 512 + size)]);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

async function play(lines: readonly string[], run: RunProgram) {
  const dir = await makeTempDir();
  makeWorld(dir);
  const steps = [];
  for (const line of lines) {
    setTimes(join(dir, 'store'));
    const ended = await run(toArguments(line), { cwd: dir, home: join(dir, 'home') });
    steps.push([`coppice ${line}: ${ended.code}`, ended.out, ended.err].join('\n'));
  }
  return { steps: steps.map((step) => unify(step, dir)), files: readWorld(dir) };
}

/**
 * What is made of paths and times of files: records, packed tables, and an index in which models that were
 * used equally often are in the order of the hashes of paths.
 */
const OF_PLACES = /\.coppice-export.*\.json$|index\.ndjson$|plan$|\.parquet$|^html\/index\.html$/;

/** The parts that differ, for a reader: a whole document of JSON shows nobody what it is. */
function findDifference(here: string, there: string): readonly [string, string] | undefined {
  if (here === there) return undefined;
  let at = 0;
  while (here[at] === there[at]) at += 1;
  const cut = (text: string): string => text.slice(Math.max(0, at - 100), at + 200);
  return [cut(here), cut(there)];
}

describe('the seven commands give the same under node.exe as here', () => {
  it.each(Object.entries(SCENARIOS))('%s', async (_name, lines) => {
    const [here, there] = [await play(lines, runHere), await play(lines, runOnWindows)];
    const steps = here.steps.map((step, at) => findDifference(step, there.steps[at] ?? ''));
    expect(steps.filter(Boolean)).toEqual([]);
    const names = [...new Set([...here.files.keys(), ...there.files.keys()])].toSorted();
    const others = names.flatMap((name) => {
      const isRecord = OF_PLACES.test(name);
      const difference = isRecord
        ? undefined
        : findDifference(here.files.get(name) ?? 'nothing', there.files.get(name) ?? 'nothing');
      return difference ? [[name, ...difference]] : [];
    });
    expect(others).toEqual([]);
  });
});
