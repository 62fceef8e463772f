import { dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import { getPromptsPath } from '../../../session/dialect/surroundings/history.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';
import { createCleaner } from '../../../session/jsonl/files/temp-file.ts';
import { fileExists } from '../../../session/jsonl/read/read-lines.ts';
import { removeOwnFile } from '../../../session/jsonl/write/create-file.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';
import { readRegularFile } from '../../files/read-regular-file.ts';
import { getFileSize } from '../../files/stat-file.ts';
import { forgetNoted } from '../../remove/removal-note.ts';
import { findHeldIn } from '../../sessions/sidecars/held-in.ts';
import { Survey } from '../../sessions/sidecars/survey.ts';
import { countLines, mergeLines, type Prompt, splitLines } from './merge-prompts.ts';
import { createFileTest } from './own-files.ts';
import {
  findPlace,
  type Owner,
  type Place,
  type PromptTerms,
  requireUnused,
} from './prompt-list.ts';

/** The file has the prompts of one session. */
const MAX_PROMPTS_BYTES = 256 * 1024 * 1024;
/** The prompts that are in memory at once, in bytes; those of one session may be more. */
const MAX_PORTION_BYTES = 16 * 1024 * 1024;

/** The prompts of a session that wait beside it. */
interface Waiting {
  readonly owner: Owner;
  readonly place: Place;
  readonly from: string;
  /** The bytes of that file. */
  readonly size: number;
}

/** The outcome for each session that had prompts: how many were missing in the list, or the error. */
export type RestoredPrompts = ReadonlyMap<Owner, number | FileError>;

/**
 * Restores the prompts of restored sessions: adds them to the lists of their agents, each where it belongs by its time,
 * and removes the files that they came in, but for one that holds anything else. Each list is rewritten once for many
 * sessions.
 */
export class PromptRestorer {
  /** The other files of the sessions are looked for once. */
  readonly #survey = new Survey();
  readonly #isRestored: (path: string) => boolean;
  /** Removes what killed runs have left beside a list. */
  readonly #cleanUp: (directory: string) => Promise<void>;
  readonly #outcomes = new Map<Owner, number | FileError>();

  readonly #world: PromptTerms['world'];

  /** `restored`: all sessions that are back. */
  constructor(restored: readonly Owner[], { now, world }: PromptTerms) {
    this.#isRestored = createFileTest(restored);
    this.#world = world;
    this.#cleanUp = createCleaner(now);
  }

  /**
   * Restores those of some sessions. An error is `in-use` as of `PromptHistory.read`, or says that the prompts may be
   * of another file of the session: then their file waits beside the session.
   */
  async restore(owners: readonly Owner[]): Promise<RestoredPrompts> {
    const byList = new Map<string, Waiting[]>();
    for (const owner of owners) {
      const waiting = await orFileError(() => this.#findWaiting(owner));
      if (waiting instanceof FileError) this.#outcomes.set(owner, waiting);
      else if (waiting) addTo(byList, waiting.place.file, waiting);
    }
    for (const all of byList.values()) {
      for (const portion of splitBySize(all)) await this.#merge(portion);
    }
    return this.#outcomes;
  }

  async #findWaiting(owner: Owner): Promise<Waiting | undefined> {
    const place = findPlace(owner);
    const from = getPromptsPath(owner.path);
    if (!place) return undefined;
    await forgetNoted(place.file, owner);
    if (!(await fileExists(from))) return undefined;
    requireUnused(place, this.#world);
    this.#requireOnlyFile(owner);
    return { owner, place, from, size: getFileSize(from) };
  }

  /** Merges the prompts of sessions of one list. */
  async #merge(portion: readonly Waiting[]): Promise<void> {
    const read = new Map<Waiting, ReadPrompts>();
    for (const one of portion) {
      const found = await orFileError(() => Promise.resolve(one).then(readWaiting));
      if (found instanceof FileError) this.#outcomes.set(one.owner, found);
      else read.set(one, found);
    }
    const [first] = read.keys();
    if (!first) return;
    const { file, history } = first.place;
    const added = await orFileError(async () => {
      await this.#cleanUp(dirname(file));
      // Two files of a session may have the same prompts.
      const all = [...read.values()].flatMap(({ own }) => own);
      const unique = new Map(all.map((prompt) => [prompt.text, prompt]));
      return new Set(await mergeLines(file, history, [...unique.values()]));
    });
    if (added instanceof FileError) {
      for (const { owner } of read.keys()) this.#outcomes.set(owner, added);
      return;
    }
    for (const [{ owner, from }, { own, others }] of read) {
      const left =
        others > 0 ? toLeftError(from, others) : await orFileError(() => removeOwnFile(from));
      this.#outcomes.set(owner, left ?? own.filter((one) => added.has(one)).length);
    }
  }

  /** @throws FileError where there is another file of the session. */
  #requireOnlyFile(owner: Owner): void {
    const { path } = owner;
    const place = findHeldIn(owner);
    const isOfOwner = createFileTest([owner]);
    const isOwn = (one: string): boolean => this.#isRestored(one) || isOfOwner(one);
    if (!place || !this.#survey.isSeenElsewhere(place.root, place.heldIn, path, isOwn)) return;
    throw new FileError(path, 'EEXIST', 'its prompts are not added: another file has its id, too');
  }
}

/** The content of a file of prompts. */
interface ReadPrompts {
  readonly own: readonly Prompt[];
  /** The number of its lines that are damaged, or of another session. */
  readonly others: number;
}

/** An archive may describe a session as any: only prompts of its own id count. */
function readWaiting({ owner, place: { history }, from }: Waiting): ReadPrompts {
  const id = history.toId(owner.path);
  const bytes = readRegularFile(from, MAX_PROMPTS_BYTES);
  const own = splitLines(bytes).filter(({ value }) => history.getSessionId(value) === id);
  return { own, others: countLines(bytes) - own.length };
}

/** A file with lines that are in no list is the only one that has them. */
function toLeftError(from: string, count: number): FileError {
  const what =
    count === 1 ? '1 line in it is not a prompt' : `${count} lines in it are not prompts`;
  return new FileError(from, 'EINVAL', `its file of prompts is kept: ${what} of this session`);
}

function* splitBySize(all: readonly Waiting[]): Generator<readonly Waiting[]> {
  let portion: Waiting[] = [];
  let bytes = 0;
  for (const one of all) {
    if (portion.length > 0 && bytes + one.size > MAX_PORTION_BYTES) {
      yield portion;
      [portion, bytes] = [[], 0];
    }
    portion.push(one);
    bytes += one.size;
  }
  if (portion.length > 0) yield portion;
}
