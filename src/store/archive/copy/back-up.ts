import { hash } from 'node:crypto';
import { basename, join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';
import { CLOCK_TICK_MS } from '../../../session/jsonl/files/identity/file-stamp.ts';
import { getFileSize } from '../../files/stat-file.ts';
import { isUnchanged } from '../../sessions/file-tree.ts';
import { readAgain, type SessionFiles } from '../../sessions/session-files.ts';
import { type ArchivedSession, readArchive } from '../index/archive-index.ts';
import { type AddedLine, appendToIndex } from '../index/index-file.ts';
import { type Manifest, toSessionKey } from '../member/manifest.ts';
import { readManifest } from '../member/read-member.ts';
import { sortByArrival, toStamped } from '../order-states.ts';
import { isSuperseded, type StoredState } from './superseded.ts';
import { removeCopied } from '../member/take-out.ts';
import {
  describeState,
  openArchive,
  placeMember,
  type SessionFacts,
  withOwnRoot,
} from '../member/write-member.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';

/** The outcome for the state of one session. */
export interface Copied {
  /** The path of its member. */
  readonly archived: string;
  /** The size of the member. */
  readonly bytes: number;
  /** False where the archive held this state already. */
  readonly isNew: boolean;
  /** How many states were taken out, all bytes of which this one begins with. */
  readonly superseded: number;
}

/** An archive that states of sessions are copied to; whatever else is in it is kept. */
export class Backup {
  readonly problems: readonly FileError[];
  readonly #directory: string;
  readonly #now: () => number;
  /** The archived sessions by `toSessionKey`. */
  readonly #states = new Map<string, ArchivedSession[]>();
  readonly #byPath = new Map<string, ArchivedSession[]>();

  private constructor(
    directory: string,
    now: () => number,
    { sessions, problems }: Awaited<ReturnType<typeof readArchive>>,
  ) {
    this.#directory = directory;
    this.#now = now;
    this.problems = problems;
    for (const session of sessions) {
      addTo(this.#states, toSessionKey(session.facts), session);
      addTo(this.#byPath, session.facts.path, session);
    }
  }

  /**
   * Reads what is in an archive. Where there is none, it is made, or with `dryRun` empty.
   * @throws FileError where it cannot be made or read.
   */
  static async open(
    directory: string,
    now: () => number,
    { dryRun = false } = {},
  ): Promise<Backup> {
    if (dryRun) return new Backup(directory, now, await readIfThere(directory));
    await openArchive(directory, now());
    return new Backup(directory, now, await readArchive(directory));
  }

  /** The agent of a session by its last state; undefined for one that the archive does not hold. */
  findAgent(path: string): string | undefined {
    return this.#byPath.get(path)?.at(-1)?.facts.agent;
  }

  /** Lists what lines of the states of a session claim, each time that the archive knows that. */
  listClaims(path: string): readonly (readonly string[])[] {
    const lists = (this.#byPath.get(path) ?? []).flatMap(({ claims }) => (claims ? [claims] : []));
    return [...new Map(lists.map((claims) => [JSON.stringify(claims), claims])).values()];
  }

  /**
   * The last state of a session, where its files are as they were when it was found in that. One that has come back to an
   * earlier state is copied again: the archive has to know that this is the last one. `key`: of the session, if it is known.
   */
  findUnchanged(
    session: SessionFiles,
    { key, ...beside }: Beside & { readonly key?: string | undefined } = {},
  ): Copied | undefined {
    const seen = toSeen(session, beside);
    const states = key === undefined ? this.#byPath.get(session.path) : this.#states.get(key);
    const state = states?.find((one) => one.seen.includes(seen) && this.#isLatest(one));
    if (!state) return undefined;
    const archived = join(this.#directory, state.member);
    // One that was cut short is written again.
    if (getFileSize(archived) !== state.bytes) return undefined;
    return { archived, bytes: state.bytes, isNew: false, superseded: 0 };
  }

  /**
   * Copies the state of a session into the archive. When this returns, its member has been read back byte
   * by byte, and flushed. States that backups have copied before, all bytes of which the new one begins
   * with, are then taken out.
   * `lacksRows`: they are asked for again by the next run, though no file has changed.
   * @throws FileError, `ECHANGED` when the session is not as it was stamped.
   */
  async add(
    session: SessionFiles,
    facts: SessionFacts,
    { lacksRows = false, ...beside }: Beside & { readonly lacksRows?: boolean | undefined } = {},
  ): Promise<Copied> {
    const older = await this.#readStates(toSessionKey({ ...facts, path: session.path }));
    const described = withOwnRoot(session, facts);
    const { manifest, beginnings } = await describeState(described, facts, toCuts(older));
    const same = older.find((one) => holdsSame(one.manifest, manifest));
    const confirm = async (): Promise<void> => {
      if (isUnchanged(session, await readAgain(session))) return;
      throw new FileError(session.path, 'ECHANGED', 'changed while it was read');
    };
    const state = same?.manifest ?? manifest;
    const placed = await placeMember(this.#directory, described, state, 'copied', confirm);
    const { path, bytes, sha256 } = placed;
    const now = this.#now();
    const line: AddedLine = {
      member: basename(path),
      archivedAt: same && this.#isLast(same, older) ? same.session.archivedAt : now,
      bytes,
      sha256,
      seen: !lacksRows && isSettled(session, now) ? toSeen(session, beside) : undefined,
      claims: beside.claims,
      manifest: state,
    };
    await appendToIndex(this.#directory, [line]);
    const members: string[] = [];
    for (const one of older) {
      const placedState = { path, manifest: state, beginnings };
      if (await isSuperseded(this.#directory, one, placedState)) members.push(one.session.member);
    }
    await removeCopied(this.#directory, members, now);
    return { archived: path, bytes, isNew: !same, superseded: members.length };
  }

  /** Returns whether no other state of its session was archived later, by the index alone or by the members as well. */
  #isLatest(state: ArchivedSession): boolean {
    const states = this.#states.get(toSessionKey(state.facts)) ?? [];
    const [moment, ...others] = [state, ...states].map(({ moments }) => moments.at(-1) ?? 0);
    if (moment !== undefined && others.every((other) => other <= moment)) return true;
    return this.#comesLast(state, states);
  }

  /** Returns whether a state is the last of a session. Otherwise the session has come back to it. */
  #isLast({ session }: StoredState, states: readonly StoredState[]): boolean {
    return this.#comesLast(
      session,
      states.map((one) => one.session),
    );
  }

  #comesLast({ member }: ArchivedSession, states: readonly ArchivedSession[]): boolean {
    const stamped = states.map((one) => toStamped(this.#directory, one));
    return sortByArrival(stamped, this.#now())[0]?.state.member === member;
  }

  async #readStates(key: string): Promise<readonly StoredState[]> {
    const states: StoredState[] = [];
    for (const session of this.#states.get(key) ?? []) {
      const path = join(this.#directory, session.member);
      const manifest = await orFileError(() => readManifest(path));
      // A member that is damaged, or that another run has taken out, is left out.
      if (!(manifest instanceof FileError)) states.push({ session, manifest });
    }
    return states;
  }
}

async function readIfThere(directory: string): ReturnType<typeof readArchive> {
  try {
    return await readArchive(directory);
  } catch (error) {
    if (error instanceof FileError && error.code === 'ENOENT')
      return { sessions: [], problems: [] };
    throw error;
  }
}

/** Facts about the state of a session, beside the stamps of its files. */
interface Beside {
  /** The names and the pin that databases have of it. */
  readonly noted?: readonly string[] | undefined;
  /** The names by which its lines claim sidecars. */
  readonly claims?: readonly string[] | undefined;
}

/** Distinguishes one state of the files of a session from another without reading them. */
function toSeen({ files, directories }: SessionFiles, { noted = [], claims }: Beside): string {
  const stamps = files.map(({ name, size, mtimeMs, ctimeMs, mode, dev, ino }) => {
    return [name, size, mtimeMs, ctimeMs, mode, dev, ino];
  });
  const folders = directories.map(({ name, mtimeMs, mode }) => [name, mtimeMs, mode]);
  const beside = [...(noted.length > 0 ? [noted] : []), ...(claims ? [{ claims }] : [])];
  const text = JSON.stringify([stamps, folders, ...beside]);
  return hash('sha256', text).slice(0, 24);
}

/** Returns whether nothing was written so shortly before that a change after it might show the same times. */
function isSettled({ files, directories }: SessionFiles, now: number): boolean {
  return [...files, ...directories].every(
    ({ ctimeMs }) => Math.abs(now - ctimeMs) >= CLOCK_TICK_MS,
  );
}

/** Lists the sizes at which the beginning of a new file is compared with an old one, by hash. */
function toCuts(older: readonly StoredState[]): ReadonlyMap<string, ReadonlySet<number>> {
  const cuts = new Map<string, Set<number>>();
  for (const { name, size } of older.flatMap(({ manifest }) => manifest.files)) {
    const sizes = cuts.get(name) ?? new Set();
    cuts.set(name, sizes.add(size));
  }
  return cuts;
}

/** Returns whether two states have the same files, whatever store and title they were archived with. */
function holdsSame(one: Manifest, other: Manifest): boolean {
  const describe = ({ root, rows, files, directories }: Manifest): string =>
    JSON.stringify([root, rows, files, directories]);
  return describe(one) === describe(other);
}
