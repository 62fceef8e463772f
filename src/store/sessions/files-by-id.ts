import { basename } from 'node:path';
import { getDialect } from '../../session/agents/index.ts';
import type { BaseDialect } from '../../session/dialect/dialect.ts';
import { orFileErrorSync } from '../../session/jsonl/files/file-error.ts';
import { chooseFile, listBelow, listWithoutLinks } from '../../session/jsonl/files/find-below.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { groupBy } from '../../session/model/tree/group-by.ts';
import { FileError } from '../../errors.ts';

type ById = ReadonlyMap<string, readonly string[]>;
type ToId = (name: string) => string | undefined;

const NONE: ById = new Map();

/** The files around sessions by the ids in their names. Each directory is searched once, also one that cannot be. */
export class FilesById {
  readonly #known = new Map<string, ById | FileError>();

  /** Finds the file of an id that the one at a path continues from. @throws FileError if a directory cannot be searched. */
  findBase(bases: BaseDialect, path: string, id: string): string | undefined {
    for (const directory of bases.listPlaces(path)) {
      const list = (): readonly string[] =>
        listWithoutLinks(directory, (name) => bases.toFileId(name) !== undefined);
      const found = this.#group(`bases ${directory}`, list, bases.toFileId).get(id);
      if (found) return chooseFile(found);
    }
    return undefined;
  }

  /** The files around a session, by the ids of theirs. @throws FileError if a directory cannot be searched. */
  listAround({ agent, path }: Pick<SessionSummary, 'agent' | 'path'>): ById {
    const { bases, places } = getDialect(agent);
    const { spawned } = places;
    if (!bases || !spawned) return NONE;
    const list = (): readonly string[] =>
      listBelow(spawned.listPlaces(path), (name) => spawned.toId(name) !== undefined);
    return this.#group(`around ${bases.findPlace(path)}`, list, spawned.toId);
  }

  #group(key: string, list: () => readonly string[], toId: ToId): ById {
    const known = this.#known.get(key);
    const found = known ?? orFileErrorSync(() => groupBy(list(), (path) => toId(basename(path))));
    this.#known.set(key, found);
    if (found instanceof FileError) throw found;
    return found;
  }
}
