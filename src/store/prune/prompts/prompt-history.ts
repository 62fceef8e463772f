import { dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import { getPromptsPath } from '../../../session/dialect/surroundings/history.ts';
import { createCleaner } from '../../../session/jsonl/files/temp-file.ts';
import { groupBy } from '../../../session/model/tree/group-by.ts';
import { releaseAfter } from '../../../session/jsonl/files/release-after.ts';
import { removeOwnFile } from '../../../session/jsonl/write/create-file.ts';
import { isGone } from '../../files/stat-file.ts';
import {
  addSidecars,
  listNamed,
  type SessionFiles,
  toOwnName,
} from '../../sessions/session-files.ts';
import { findHeldIn } from '../../sessions/sidecars/held-in.ts';
import { Survey } from '../../sessions/sidecars/survey.ts';
import type { RemovalResult } from '../removal-result.ts';
import {
  RemovalNote,
  listLeftNotes,
  type NotedSession,
  readNote,
} from '../../remove/removal-note.ts';
import type { RemovalTarget } from '../../remove/remove-whole.ts';
import { addBeside, splitLines } from './merge-prompts.ts';
import { createFileTest } from './own-files.ts';
import {
  findPlace,
  listPlaces,
  type Owner,
  type Place,
  type PromptTerms,
  readPrompts,
  requireUnused,
  takeOut,
} from './prompt-list.ts';

/** The lines of sessions in the lists of prompts of their agents, as they were read. */
export class PromptHistory {
  readonly #lists = new Map<string, PromptList>();
  readonly #cleanUp: (directory: string) => Promise<void>;

  #isThere = false;

  readonly #world: PromptTerms['world'];

  private constructor({ now, world }: PromptTerms) {
    this.#cleanUp = createCleaner(now);
    this.#world = world;
  }

  /**
   * Reads the lists of the agents of the sessions that are to be removed; of other sessions, and of stores in
   * which none is left, only those lists in which a run that was killed has left lines.
   * @throws FileError, `in-use` where a process of an agent may be about to write to one.
   */
  static async read(
    targets: readonly Owner[],
    others: readonly Owner[],
    stores: readonly string[],
    terms: PromptTerms,
  ): Promise<PromptHistory> {
    const found = new PromptHistory(terms);
    const own = withoutHeld(targets, targets);
    const places = [
      ...[...own, ...others].flatMap((owner) => findPlace(owner) ?? []),
      ...stores.flatMap(listPlaces),
    ];
    for (const [file, place] of new Map(places.map((one) => [one.file, one]))) {
      const sessions = own.filter((one) => findPlace(one)?.file === file);
      const left = await listLeftNotes(file, terms.now);
      found.#isThere ||= left.length > 0 || !isGone(file);
      if (sessions.length + left.length === 0) continue;
      requireUnused(place, terms.world);
      const lines = await readPrompts(place, sessions);
      found.#lists.set(file, { ...place, lines, left, note: new RemovalNote(file) });
    }
    return found;
  }

  /** Whether there is such a list, or lines that a run which was killed has left of one. */
  get isThere(): boolean {
    return this.#isThere;
  }

  /** Returns how many prompts of a session there are. */
  count(owner: Owner): number {
    return this.#find(owner).length;
  }

  /**
   * Removes a session with its prompts, in a file beside it, and records that; takes both back where the session
   * is still there.
   */
  async removeWith(
    target: RemovalTarget,
    remove: (target: RemovalTarget) => Promise<RemovalResult>,
  ): Promise<RemovalResult> {
    const { candidate, files } = target;
    const list = this.#findList(candidate);
    const lines = this.#find(candidate);
    if (!list || lines.length === 0) return remove(target);
    const { path: session, id } = candidate;
    const path = getPromptsPath(session);
    await this.#cleanUp(dirname(path));
    const takeBack = await addBeside(path, list.history, splitLines(Buffer.concat(lines)));
    let isRemoved = false;
    const removeBoth = async (): Promise<RemovalResult> => {
      await list.note.add({ path: session, id, count: lines.length });
      const outcome = await remove({ candidate, files: await withPrompts(files, path) });
      isRemoved = outcome.removal === 'removed';
      return outcome;
    };
    return releaseAfter(
      removeBoth,
      async () => {
        if (!isRemoved) await list.note.add({ path: session, id, count: 0 });
      },
      async () => {
        if (!isRemoved) await takeBack();
      },
    );
  }

  /** Takes the lines of removed sessions out of the lists; what could not be changed is returned. */
  async removeLines(removed: readonly Owner[]): Promise<readonly FileError[]> {
    const problems: FileError[] = [];
    for (const list of this.#lists.values()) {
      try {
        const own = removed.flatMap((one) =>
          this.#findList(one) === list ? { ...one, count: this.count(one) } : [],
        );
        const owed = listOwed(list);
        const gone = withoutHeld([...own, ...owed], []);
        await this.#cleanUp(dirname(list.file));
        await takeOut(list, new Map(gone.map(({ id, count }) => [id, count])), this.#world);
        for (const note of list.left) await removeOwnFile(note);
        await list.note.remove();
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        problems.push(error);
      }
    }
    return problems;
  }

  #findList(owner: Owner): PromptList | undefined {
    return this.#lists.get(findPlace(owner)?.file ?? '');
  }

  #find(owner: Owner): readonly Buffer[] {
    return this.#findList(owner)?.lines.get(owner.id) ?? [];
  }
}

/** A list of prompts of which lines are taken out. */
interface PromptList extends Place {
  /** The lines that each session had when they were read, by its id. */
  readonly lines: ReadonlyMap<string, readonly Buffer[]>;
  readonly note: RemovalNote;
  /** Notes of runs that were killed. */
  readonly left: readonly string[];
}

/** Lists the sessions that runs which were killed have removed with a copy of their lines, and not the lines. */
function listOwed({ agent, file, history, left }: PromptList) {
  const owed: (Owner & NotedSession)[] = [];
  for (const noted of left.flatMap(readNote)) {
    const one = { ...noted, agent };
    const isOwn = findPlace(one)?.file === file && history.toId(one.path) === one.id;
    if (isOwn && isGone(one.path)) owed.push(one);
  }
  return owed;
}

/**
 * Selects owners of whose sessions no other file is left, which would need the prompts, too; `others` do not
 * count.
 */
function withoutHeld<T extends Owner>(
  owners: readonly T[],
  others: readonly Owner[],
): readonly T[] {
  const survey = new Survey();
  const byId = groupBy(others, ({ id }) => id);
  return owners.filter((owner) => {
    const { path, id } = owner;
    const place = findHeldIn(owner);
    if (!place) return true;
    // A killed run may have left the copy.
    const isOwn = createFileTest([owner, ...(byId.get(id) ?? [])]);
    return survey.listOthers(place.root, place.heldIn, path)?.every(isOwn) === true;
  });
}

async function withPrompts(files: SessionFiles, path: string): Promise<SessionFiles> {
  const name = toOwnName(path, files.root);
  const isOther = (one: { readonly name: string }): boolean => one.name !== name;
  const others = {
    ...files,
    sidecars: listNamed(files).filter(isOther),
    files: files.files.filter(isOther),
  };
  return addSidecars(others, [{ name, kind: 'file' }]);
}
