import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { openWritable } from '../store/database/open-writable.ts';
import { makeTempDir } from '../temp-dir.ts';
import { HERE, type NodeVersion, play, type System, toWindowsPath, WINDOWS } from './node-exe.ts';

/** Where sessions lie, with commands that follow each other, each in the directory with them. */
export interface Scenario {
  readonly lines: readonly string[];
  /** Fills a directory, in which `home` is there for the home of the user. */
  readonly makeWorld: (dir: string, system: System) => void;
  readonly node?: NodeVersion;
  /** All that is done with a line. */
  readonly toArguments: (line: string) => readonly string[];
}

/** Each system has its own place for them: places.test.ts. */
const CACHES = /^home\/(?:\.cache|AppData)(?:\/|$)/;

/** The files below a directory by their names, with what is in them. */
async function readWorld(dir: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, readonly string[]>();
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(dir.length + 1);
    if (CACHES.test(name)) continue;
    const key = unify(name, dir);
    const text = entry.isFile() ? await readUnified(path, dir) : 'a directory';
    found.set(key, [...(found.get(key) ?? []), text]);
  }
  // Sessions of one id are told apart by the hash alone.
  return new Map([...found].map(([key, texts]) => [key, texts.toSorted().join('\n')]));
}

/** The rows of a table are in the order of paths, so they are sorted by what is left of these. */
async function readUnified(path: string, dir: string): Promise<string> {
  const text = unify(await readComparable(path), dir);
  return path.endsWith('.parquet') ? text.split('\n').toSorted().join('\n') : text;
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
    .replace(/(?:<dir>|~\\)[^"'\s]*/g, (path) => path.replaceAll(/\\+/g, '/'))
    .replaceAll(HASHES, '<hash>')
    .replaceAll(SIZES, '<size>');
}

/** The bytes of a file; of a member of an archive the files in it, without what is said of them; rows of tables. */
async function readComparable(path: string): Promise<string> {
  if (path.endsWith('.sqlite')) return readRows(path);
  if (path.endsWith('.parquet')) return readTable(path);
  const bytes = readFileSync(path);
  if (!path.endsWith('.tar.gz')) return bytes.toString('latin1');
  const names = unzipTar(gunzipSync(bytes));
  return names
    .filter(([name]) => name !== 'coppice.json')
    .flat()
    .join('\n');
}

/** Every row of every table: bytes of a database are those of pages, which may lie otherwise. */
function readRows(path: string): string {
  const database = openWritable(path);
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const names = (tables as readonly { readonly name: string }[]).map(({ name }) => name);
    const toLine = (row: unknown): string =>
      Object.values(row as object)
        .map(String)
        .join(' | ');
    return names
      .toSorted()
      .flatMap((name) => [name, ...database.prepare(`SELECT * FROM "${name}"`).all().map(toLine)])
      .join('\n');
  } finally {
    database.close();
  }
}

/** The rows of a packed table, a line each: its bytes hold the lengths of paths. */
async function readTable(path: string): Promise<string> {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path) });
  const toText = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value;
  return rows.map((row) => JSON.stringify(row, toText)).join('\n');
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

async function playIn(scenario: Scenario, system: System) {
  const { lines, makeWorld, toArguments, node = 20 } = scenario;
  const dir = await makeTempDir();
  mkdirSync(join(dir, 'home'));
  makeWorld(dir, system);
  const played = await play(lines.map(toArguments), system, {
    cwd: dir,
    home: join(dir, 'home'),
    node,
  });
  const steps = played.map(({ code, out, err }, at) =>
    unify([`coppice ${lines[at]}: ${code}`, out, err].join('\n'), dir),
  );
  const idle = lines.filter((line, at) => CHANGES.test(line) && played[at]?.changed !== true);
  return { steps, idle, files: await readWorld(dir) };
}

/** Lines that must change something, or they compare nothing. */
const CHANGES = /^fork (?!.*--points)|--(?:apply|restore|fix)\b/;

/**
 * What is made of paths and times of files: records, and an index in which models that were used equally
 * often are in the order of the hashes of paths.
 */
const OF_PLACES = /\.coppice-export.*\.json$|index\.ndjson$|plan$|^html\/index\.html$/;

/** The parts that differ, for a reader: a whole document of JSON shows nobody what it is. */
function findDifference(here: string, there: string): readonly [string, string] | undefined {
  if (here === there) return undefined;
  let at = 0;
  while (here[at] === there[at]) at += 1;
  const cut = (text: string): string => text.slice(Math.max(0, at - 100), at + 200);
  return [cut(here), cut(there)];
}

/** What is found where all is the same, and nothing idle. */
export const NOTHING = { steps: [], files: [], idle: [] };

/** Plays a scenario here and under node.exe; finds what is printed or written otherwise, and lines that change nothing. */
export async function findDifferences(scenario: Scenario) {
  const [here, there] = [await playIn(scenario, HERE), await playIn(scenario, WINDOWS)];
  const steps = here.steps.flatMap((step, at) => {
    return [findDifference(step, there.steps[at] ?? '')].filter((one) => one !== undefined);
  });
  const names = [...new Set([...here.files.keys(), ...there.files.keys()])].toSorted();
  const files = names.flatMap((name) => {
    if (OF_PLACES.test(name)) return [];
    const [one, other] = [here.files.get(name) ?? 'nothing', there.files.get(name) ?? 'nothing'];
    const difference = findDifference(one, other);
    return difference ? [[name, ...difference]] : [];
  });
  return { steps, files, idle: here.idle };
}
