import { FileError } from '../../../errors.ts';
import { findDialect } from '../../../session/agents/index.ts';
import type { SidecarDialect } from '../../../session/dialect/surroundings/sidecars.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';
import { orSkip } from '../../../session/model/action.ts';
import type { FileProblem } from '../../../session/model/summary.ts';
import { toNoSessionError } from '../../../session/read/no-session.ts';
import { findStore } from '../../find/roots.ts';
import type { FoundFile } from '../../select/found-file.ts';
import type { Shared } from '../../sessions/read-prunable.ts';
import { readSessionFiles, type SessionFiles, toOwnName } from '../../sessions/session-files.ts';
import { createCompleter } from '../../sessions/surroundings.ts';
import { describeDetour } from '../../sessions/find-use.ts';
import { findClaimable, withClaimed } from '../../sessions/sidecars/claimed-sidecars.ts';
import { Survey } from '../../sessions/sidecars/survey.ts';
import type { PrunableUnit } from '../../sessions/units/unit.ts';
import type { Backup, Copied } from './back-up.ts';
import type { Owners } from './owners.ts';
import { type ChosenFiles, splitOffUnits, type UnitReading } from './find-units.ts';
import { toSessionKey } from '../member/manifest.ts';
import {
  type Copyable,
  type CopyReading,
  findCopied,
  readCopyable,
  readCopyableUnit,
} from './read-copyable.ts';

/** How often a session may change while it is read, before it is left to the next run. */
const MAX_TRIES = 3;
const CHANGING = 'changed repeatedly while it was read; left to the next run';

/** A file that may be a session, or a session of several files. */
export interface CopyItem {
  readonly file: FoundFile;
  readonly unit?: PrunableUnit;
}

interface FoundItems {
  readonly items: readonly CopyItem[];
  readonly problems: readonly FileProblem[];
}

/** The outcome for one session. Sizes in bytes. */
export interface CopyOutcome {
  readonly path: string;
  readonly action: 'backup' | 'unchanged' | 'skip';
  readonly reasons: readonly string[];
  readonly bytesBefore: number;
  /** The size of a new member; 0 if there is none. */
  readonly bytesAfter: number;
  /** The path of the member that holds this state. */
  readonly archived?: string;
}

/** The files of a backup, and how to read them. */
export interface CopySources
  extends ChosenFiles, Pick<UnitReading, 'readAll' | 'stores' | 'world'> {
  readonly owners: Owners;
}

/** A session as this run leaves it in the archive, or would. */
interface Copy {
  /** Undefined for a session of another shard, which is only looked at. */
  readonly outcome?: CopyOutcome;
  /** The files that the archive holds of it. */
  readonly files?: SessionFiles;
}

/** Copies sessions into an archive, and changes none of them. */
export class SessionCopier {
  readonly #backup: Backup;
  readonly #sources: CopySources;
  readonly #dryRun: boolean;
  readonly #reading: CopyReading;
  readonly #shared: Shared;
  /** Keyed by path, like the two below. */
  readonly #items = new Map<string, CopyItem>();
  /** Sessions that others may belong to. */
  readonly #owning: ReadonlySet<string>;
  readonly #copies = new Map<string, Promise<Copy>>();

  constructor(
    backup: Backup,
    sources: CopySources,
    { dryRun, ...reading }: CopyReading & { readonly dryRun: boolean },
  ) {
    this.#backup = backup;
    this.#sources = sources;
    const complete = createCompleter({ sure: true, env: sources.world.env });
    this.#shared = { survey: new Survey(), complete };
    this.#dryRun = dryRun;
    this.#reading = reading;
    const owning = [...sources.owners.values()].flat();
    this.#owning = new Set(owning.map(({ path }) => path));
  }

  /** Finds the sessions to copy. */
  async find(): Promise<FoundItems> {
    const isAlone = (path: string): boolean => this.#findSidecars(path) !== undefined;
    const reading = { ...this.#sources, shared: this.#shared };
    const found = await splitOffUnits(this.#sources, isAlone, reading);
    const units = found.units.map((unit): CopyItem => ({ file: unit.whole.file, unit }));
    const items = [...found.files.map((file): CopyItem => ({ file })), ...units];
    for (const item of items) this.#items.set(item.file.path, item);
    const order = new Map(this.#sources.all.map(({ path }, index) => [path, index]));
    const getPlace = ({ file }: CopyItem): number => order.get(file.path) ?? order.size;
    return {
      items: items.toSorted((a, b) => getPlace(a) - getPlace(b)),
      problems: found.problems,
    };
  }

  /** Undefined for a file that is copied with the session that it belongs to. */
  async copy(item: CopyItem): Promise<CopyOutcome | undefined> {
    const { file, unit } = item;
    for (const owner of unit ? [] : (this.#sources.owners.get(file.path) ?? [])) {
      if (await this.#isHeld(file.path, owner)) return undefined;
    }
    const { outcome } = await this.#once(file.path, () => this.#copy(item));
    return outcome;
  }

  /** Returns whether the copy of a session holds a file. */
  async #isHeld(path: string, owner: FoundFile): Promise<boolean> {
    const item = this.#items.get(owner.path);
    const copying = this.#once(owner.path, () => (item ? this.#copy(item) : this.#look(owner)));
    const copy = await orFileError(() => copying);
    // The run names the error where it copies that session.
    if (copy instanceof FileError || !copy.files) return false;
    const name = toOwnName(path, copy.files.root);
    return copy.files.files.some((one) => one.name === name);
  }

  /** Copies a session once, though files that may belong to it have to wait for its copy. */
  #once(path: string, work: () => Promise<Copy>): Promise<Copy> {
    const copying = this.#copies.get(path) ?? work();
    if (this.#owning.has(path)) this.#copies.set(path, copying);
    return copying;
  }

  #copy({ file, unit }: CopyItem): Promise<Copy> {
    return unit ? this.#copyUnit(unit) : this.#copyFile(file);
  }

  async #look(file: FoundFile): Promise<Copy> {
    const read = await readCopyable(file, this.#findStore(file), this.#shared, this.#reading);
    return read && 'files' in read ? { files: read.files } : {};
  }

  async #copyFile(file: FoundFile): Promise<Copy> {
    const known = await this.#findUnchanged(file);
    if (known) return known;
    for (let tries = 1; ; tries += 1) {
      const copied = await orSkip<Copy | 'changing'>(
        () => this.#read(file, tries > 1),
        () => 'changing',
      );
      if (copied !== 'changing') return copied;
      if (tries === MAX_TRIES) return toSkipped(file.path, CHANGING);
    }
  }

  async #copyUnit(unit: PrunableUnit): Promise<Copy> {
    const { file, summary, files, error } = unit.whole;
    if (error) throw error;
    const key = summary && toSessionKey({ ...summary, path: file.path });
    const noted = listNoted(unit);
    const state = files && this.#backup.findUnchanged(files, { key, noted });
    if (files && state) return toCopied(files, state, []);
    return orSkip<Copy>(
      async () => this.#add(file.path, await readCopyableUnit(unit, this.#findStore(file)), noted),
      () => toSkipped(file.path, CHANGING),
    );
  }

  #findStore({ path }: FoundFile): string {
    return findStore(path, this.#sources.stores);
  }

  /** Finds the sidecars of a session of one file that the archive knows. */
  #findSidecars(path: string): SidecarDialect | undefined {
    const agent = this.#backup.findAgent(path);
    const dialect = findDialect(agent);
    return dialect?.rows ? undefined : findCopied(dialect?.sidecars);
  }

  /** Finds an unchanged session by the stamps of its files alone. */
  async #findUnchanged({ path, linked }: FoundFile): Promise<Copy | undefined> {
    const sidecars = this.#findSidecars(path);
    if (!sidecars || linked) return undefined;
    const own = await readSessionFiles(path, sidecars, this.#shared.survey);
    for (const claims of this.#listKnownClaims(path)) {
      const files = await orFileError(() => withClaimed(own, claims ?? []));
      // It is read again to report what it was copied without.
      if (files instanceof FileError) return undefined;
      const state = this.#backup.findUnchanged(files, { claims });
      if (state) return toCopied(files, state, []);
    }
    return undefined;
  }

  /** Lists what the lines of each state of a session are known to claim: nothing where its agent knows no such thing. */
  #listKnownClaims(path: string): readonly (readonly string[] | undefined)[] {
    const agent = this.#backup.findAgent(path) ?? null;
    return findClaimable({ agent, path }) ? this.#backup.listClaims(path) : [undefined];
  }

  async #read(file: FoundFile, isAgain: boolean): Promise<Copy> {
    const shared = isAgain ? { ...this.#shared, survey: new Survey() } : this.#shared;
    const store = this.#findStore(file);
    const read = await readCopyable(file, store, shared, this.#reading);
    if (!read) throw toNoSessionError(file.path, 'foreign');
    return this.#add(file.path, read);
  }

  async #add(path: string, read: Copyable, noted?: readonly string[]): Promise<Copy> {
    if ('obstacle' in read) return toSkipped(path, read.obstacle);
    const agent = findDialect(read.facts.agent)?.agent;
    const detour = agent && describeDetour(agent, path, this.#sources.world);
    if (detour !== undefined) return toSkipped(path, detour);
    if (this.#dryRun) return toPreview(read);
    const { files, facts, omissions, claims, lacksRows } = read;
    const copied = await this.#backup.add(files, facts, { lacksRows, noted, claims });
    return toCopied(files, copied, omissions);
  }
}

/** Lists the names and the pin that a database of the agent has of a session, which change no file. */
function listNoted({ pin, recorded = [] }: PrunableUnit): readonly string[] {
  const names = recorded.flatMap(({ id, name }) => (name === null ? [] : [`${id} ${name}`]));
  return [...names, ...(pin === undefined ? [] : [pin])];
}

function toSkipped(path: string, reason: string): Copy {
  return { outcome: toOutcome(path, 'skip', [reason]) };
}

function toPreview({ files, omissions }: Exclude<Copyable, { obstacle: string }>): Copy {
  const reasons = ['not in the archive, or not as it is now', ...omissions];
  const outcome = { ...toOutcome(files.path, 'backup', reasons), bytesBefore: sumSizes(files) };
  return { outcome, files };
}

function toCopied(
  files: SessionFiles,
  { archived, bytes, isNew, superseded }: Copied,
  omissions: readonly string[],
): Copy {
  const what = isNew ? describeNew(superseded) : 'not changed';
  const result = toOutcome(files.path, isNew ? 'backup' : 'unchanged', [what, ...omissions]);
  const sizes = { bytesBefore: sumSizes(files), bytesAfter: isNew ? bytes : 0 };
  return { outcome: { ...result, ...sizes, archived }, files };
}

function describeNew(superseded: number): string {
  if (superseded === 0) return 'copied';
  return superseded === 1
    ? 'copied; replaces a state that it begins with'
    : `copied; replaces ${superseded} states that it begins with`;
}

function sumSizes({ files }: SessionFiles): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function toOutcome(
  path: string,
  action: CopyOutcome['action'],
  reasons: readonly string[],
): CopyOutcome {
  return { path, action, reasons, bytesBefore: 0, bytesAfter: 0 };
}
