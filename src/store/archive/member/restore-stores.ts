import { basename } from 'node:path';
import type { RowDialect } from '../../../session/dialect/surroundings/rows.ts';
import { isTempName } from '../../../session/jsonl/files/temp-file.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';
import { NO_PATHS } from '../../../session/model/paths.ts';
import { listAll } from '../../files/list-all.ts';
import { listClaimWords } from '../../sessions/sidecars/claimed-sidecars.ts';
import { NameSearch } from '../../sessions/sidecars/search-names.ts';
import { Survey } from '../../sessions/sidecars/survey.ts';
import type { NewestFiles } from './claimed-files.ts';

/** The files of the sessions of one run, as it knows them before it restores any. */
export interface KnownFiles {
  /** The newest of the files that several sessions of the run claim. */
  readonly newest: NewestFiles;
  /** The real paths of files that were there already, as the archive has them. */
  readonly present: ReadonlySet<string>;
}

/** The stores that one run restores into, as it knows them. */
export interface RestoreStores extends KnownFiles {
  /** The sidecars of sessions, as they were before. */
  readonly survey: Survey;
  /** The real paths of the files that this run has restored. */
  readonly restored: Set<string>;
  /** Searches the stores for the names of files that lines claim. */
  readonly search: NameSearch;
  /** Lists the files of a session by the names of all that are in some places, or that this run has put there. */
  readonly listStored: (
    places: readonly string[],
    id: string,
    rows: Pick<RowDialect, 'listIds'>,
  ) => readonly string[];
}

export function createRestoreStores({
  newest = new Map(),
  present = NO_PATHS,
}: Partial<KnownFiles> = {}): RestoreStores {
  const restored = new Set<string>();
  const search = new NameSearch([...newest.keys()].flatMap(listClaimWords));
  return {
    survey: new Survey(),
    restored,
    search,
    newest,
    present,
    listStored: createStoreList(restored),
  };
}

/** Places are listed once: they may hold thousands of files. */
function createStoreList(restored: ReadonlySet<string>): RestoreStores['listStored'] {
  const listed = new Map<string, ReadonlyMap<string, readonly string[]>>();
  const listById = (place: string, rows: Pick<RowDialect, 'listIds'>) => {
    const byId = new Map<string, string[]>();
    for (const path of listAll(place).files) {
      if (isTempName(basename(path))) continue;
      for (const id of rows.listIds([path])) addTo(byId, id, path);
    }
    return byId;
  };
  return (places, id, rows) => {
    const before = places.flatMap((place) => {
      const byId = listed.get(place) ?? listById(place, rows);
      listed.set(place, byId);
      return byId.get(id) ?? [];
    });
    return [...before, ...[...restored].filter((path) => basename(path).includes(id))];
  };
}
