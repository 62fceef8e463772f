import { getDialect } from '../../session/agents/index.ts';
import { orFileError, orFileErrorSync } from '../../session/jsonl/files/file-error.ts';
import { otherFiles } from '../../session/jsonl/read/other-files.ts';
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
    const started = known.get(place) ?? readStarted(summary, files);
    known.set(place, started);
    return listBelowSession(summary.id, await started);
  };
}

async function readStarted(summary: SessionSummary, files: FilesById): Promise<Started> {
  const { spawned } = getDialect(summary.agent).places;
  const started = new Map<string, { path: string; id: string }[]>();
  if (!spawned) return started;
  const around = orFileErrorSync(() => files.listAround(summary));
  for (const file of around instanceof FileError ? [] : [...around.values()].flat()) {
    const first = await orFileError(() => otherFiles.readFirstObject(file));
    const start = !first || first instanceof FileError ? undefined : spawned.findStart(first);
    if (start) addTo(started, start.by, { path: file, id: start.id });
  }
  return started;
}

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
