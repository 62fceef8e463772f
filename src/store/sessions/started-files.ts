import { getDialect } from '../../session/agents/index.ts';
import type { SpawnedDialect } from '../../session/dialect/surroundings/subagents.ts';
import { orFileError, orFileErrorSync } from '../../session/jsonl/files/file-error.ts';
import type { JsonObject } from '../../session/jsonl/edit/json.ts';
import { FirstObject } from '../../session/jsonl/read/parse-line.ts';
import { readLines } from '../../session/jsonl/read/read-lines.ts';
import type { Line } from '../../session/jsonl/read/line-splitter.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { addTo } from '../../session/model/tree/group-by.ts';
import { FileError } from '../../errors.ts';
import type { FilesById } from './files-by-id.ts';

/** The files of one place, by the ids of the sessions that started them. */
type Started = ReadonlyMap<string, readonly { readonly path: string; readonly id: string }[]>;

/** Lists the paths of the files of all sub-agents of a session, at any depth, which are sessions of their own. */
export type ListStarted = (summary: SessionSummary) => Promise<readonly string[]>;

/** Reads the beginnings of the files of each place once. What cannot be read is left out, as a listing does. */
export function createStartedLister(files: FilesById): ListStarted {
  const known = new Map<string, Promise<Started>>();
  return async (summary) => {
    const { bases, places } = getDialect(summary.agent);
    if (!bases || !places.spawned) return [];
    const place = bases.findPlace(summary.path);
    const started = known.get(place) ?? readStarted(summary, places.spawned, files);
    known.set(place, started);
    return listBelowSession(summary.id, await started);
  };
}

async function readStarted(
  summary: SessionSummary,
  spawned: SpawnedDialect,
  files: FilesById,
): Promise<Started> {
  const started = new Map<string, { path: string; id: string }[]>();
  const around = orFileErrorSync(() => files.listAround(summary));
  for (const file of around instanceof FileError ? [] : [...around.values()].flat()) {
    const first = await orFileError(() => readFirstObject(file, spawned.word));
    const start = !first || first instanceof FileError ? undefined : spawned.findStart(first);
    if (start) addTo(started, start.by, { path: file, id: start.id });
  }
  return started;
}

/** The first object of a file, if it has the word: most have not, and are not parsed. */
async function readFirstObject(path: string, word: string): Promise<JsonObject | undefined> {
  const first = new FirstObject();
  let isOther = false;
  const visit = (line: Line): void => {
    isOther ||= first.value === undefined && isEnclosed(line) && !line.bytes.includes(word);
    if (!isOther) first.visit(line);
  };
  await readLines(path, visit, { isDone: () => isOther || first.value !== undefined });
  return first.value;
}

/** Returns whether a line begins and ends as an object does. */
function isEnclosed({ bytes }: Line): boolean {
  return bytes[0] === OPEN && bytes.at(-1) === CLOSE;
}

const [OPEN, CLOSE] = Buffer.from('{}');

function listBelowSession(session: string, started: Started): readonly string[] {
  const paths: string[] = [];
  const ids = new Set([session]);
  for (const at of ids) {
    for (const { path, id } of started.get(at) ?? []) {
      paths.push(path);
      ids.add(id);
    }
  }
  return paths;
}
