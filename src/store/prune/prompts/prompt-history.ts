import { dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import { dialects } from '../../../session/agents/index.ts';
import {
  getPromptsPath,
  type HistoryDialect,
} from '../../../session/dialect/surroundings/history.ts';
import { isObject, type JsonObject } from '../../../session/jsonl/edit/json.ts';
import { fileExists, type FileStamp, readLines } from '../../../session/jsonl/read/read-lines.ts';
import type { Line } from '../../../session/jsonl/read/line-splitter.ts';
import { parseLine } from '../../../session/jsonl/read/parse-line.ts';
import { releaseAfter } from '../../../session/jsonl/files/release-after.ts';
import { createFile, removeOwnFile } from '../../../session/jsonl/write/create-file.ts';
import { replaceFile } from '../../../session/jsonl/write/replace-file.ts';
import type { Agent } from '../../../session/model/agent.ts';
import type { Candidate } from '../../../session/prune/candidate.ts';
import { findLiveProcess } from '../../sessions/find-use.ts';
import { readRegularFile } from '../../files/read-regular-file.ts';
import { getFileSize } from '../../files/stat-file.ts';
import {
  keepStamps,
  readAgain,
  type SessionFiles,
  toOwnName,
} from '../../sessions/session-files.ts';
import { Survey } from '../../sessions/survey.ts';
import type { RemovalResult } from '../removal-result.ts';
import { readNote, removeNote, writeNote } from './removal-note.ts';
import type { RemovalTarget } from '../../remove/remove-whole.ts';

/** The session whose prompts are meant. */
interface Owner extends Pick<Candidate, 'path' | 'id'> {
  readonly agent: string | null;
}

/** The lines of sessions in the lists of prompts of their agents, as they were read. */
export class PromptHistory {
  readonly #lines = new Map<string, Map<string, Buffer[]>>();
  readonly #stamps = new Map<string, FileStamp>();
  /** By list with a note: the sessions that a run which was killed had removed, and not their lines. */
  readonly #owed = new Map<string, readonly Owner[]>();

  /**
   * Reads the lists of the agents of the sessions that are to be removed; of other sessions, and of stores in
   * which none is left, only those lists in which a run that was killed has left lines.
   * @throws FileError, `in-use` where a process of an agent may be about to write to one.
   */
  static async read(
    target: readonly Owner[],
    others: readonly Owner[] = [],
    stores: readonly string[] = [],
  ): Promise<PromptHistory> {
    const found = new PromptHistory();
    const own = withoutHeld(target, new Set(target.map(({ path }) => path)));
    const places = [
      ...[...own, ...others].flatMap((owner) => findPlace(owner) ?? []),
      ...stores.flatMap(listPlaces),
    ];
    for (const [file, place] of new Map(places.map((one) => [one.file, one]))) {
      const owed = await found.#readOwed(place);
      const all = [...own, ...owed].filter((one) => findPlace(one)?.file === file);
      const [first] = all;
      if (!first) continue;
      requireUnused(place.agent, first.path, file);
      await found.#readFile(file, place.history, all);
    }
    return found;
  }

  async #readOwed({ agent, file }: Place): Promise<readonly Owner[]> {
    const noted = await readNote(file);
    if (!noted) return [];
    const owed: Owner[] = [];
    for (const one of noted.map((session) => ({ ...session, agent }))) {
      if (findPlace(one)?.file === file && !(await fileExists(one.path))) owed.push(one);
    }
    this.#owed.set(file, owed);
    return owed;
  }

  /** Notes beside each list what is about to be removed, so that a later run can finish this one. */
  async begin(target: readonly Owner[]): Promise<void> {
    for (const file of new Set([...this.#stamps.keys(), ...this.#owed.keys()])) {
      const own = target.filter((one) => findPlace(one)?.file === file && this.count(one) > 0);
      const noted = [...(this.#owed.get(file) ?? []), ...own];
      await (noted.length > 0 ? writeNote(file, noted) : removeNote(file));
    }
  }

  /** Returns how many prompts of a session there are. */
  count(owner: Owner): number {
    return this.#find(owner).length;
  }

  /** Removes a session with its prompts, in a file beside it; takes that back where the session is still there. */
  async removeWith(
    target: RemovalTarget,
    remove: (target: RemovalTarget) => Promise<RemovalResult>,
  ): Promise<RemovalResult> {
    const { candidate, files } = target;
    const place = findPlace(candidate);
    const lines = this.#find(candidate);
    if (!place || lines.length === 0) return remove(target);
    const path = getPromptsPath(candidate.path);
    const takeBack = await addBeside(path, place.history, splitLines(Buffer.concat(lines)));
    let isRemoved = false;
    const removeBoth = async (): Promise<RemovalResult> => {
      const outcome = await remove({ candidate, files: await withPrompts(files, path) });
      isRemoved = outcome.removal === 'removed';
      return outcome;
    };
    return releaseAfter(removeBoth, async () => {
      if (!isRemoved) await takeBack();
    });
  }

  /** Takes the lines of removed sessions out of the lists; what could not be changed is returned. */
  async removeLines(removed: readonly Owner[]): Promise<readonly FileError[]> {
    const problems: FileError[] = [];
    const gone = withoutHeld([...removed, ...[...this.#owed.values()].flat()], new Set());
    for (const [file, stamp] of this.#stamps) {
      const own = gone.filter((one) => findPlace(one)?.file === file && this.count(one) > 0);
      const [first] = own;
      const place = first && findPlace(first);
      try {
        if (first && place) {
          const left = new Map(own.map((one) => [one.id, this.count(one)]));
          requireUnused(place.agent, first.path, file);
          await replaceFile(file, (line) => this.#dropLine(line, place.history, left), {
            planned: stamp,
          });
        }
        await removeNote(file);
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        problems.push(error);
      }
    }
    return problems;
  }

  /** Not one more than were read: only these are kept elsewhere. */
  #dropLine(
    line: Line,
    history: HistoryDialect,
    left: Map<string, number>,
  ): readonly Buffer[] | undefined {
    const id = getOwner(line, history);
    const count = id === undefined ? 0 : (left.get(id) ?? 0);
    if (id === undefined || count === 0) return undefined;
    left.set(id, count - 1);
    return [];
  }

  async #readFile(file: string, history: HistoryDialect, owners: readonly Owner[]): Promise<void> {
    const lines = new Map(owners.map(({ id }) => [id, [] as Buffer[]]));
    this.#lines.set(file, lines);
    if (!(await fileExists(file))) return;
    const stamp = await readLines(file, (line) => {
      const id = getOwner(line, history);
      if (id !== undefined) lines.get(id)?.push(Buffer.concat([line.bytes, Buffer.from('\n')]));
    });
    this.#stamps.set(file, stamp);
  }

  #find(owner: Owner): readonly Buffer[] {
    const file = findPlace(owner)?.file ?? '';
    return this.#lines.get(file)?.get(owner.id) ?? [];
  }
}

/** Those of whose sessions no other file is left, which would need the prompts, too; `others` do not count. */
function withoutHeld<T extends Owner>(
  owners: readonly T[],
  others: ReadonlySet<string>,
): readonly T[] {
  const survey = new Survey();
  const found: T[] = [];
  for (const owner of owners) {
    const sidecars = dialects.find(({ agent }) => agent === owner.agent)?.sidecars;
    const held = sidecars?.list(owner.path).find(({ sharedBy }) => sharedBy)?.sharedBy;
    const isHeld =
      sidecars &&
      held &&
      survey.isHeldElsewhere(sidecars.findRoot(owner.path), held, owner.path, others);
    if (!isHeld) found.push(owner);
  }
  return found;
}

/** The id of the session that a line of a list is of. */
function getOwner(line: Line, history: HistoryDialect): string | undefined {
  const content = parseLine(line);
  return content.kind === 'object' ? history.getSessionId(content.value) : undefined;
}

/** Returns whether an agent keeps such a list. */
export function hasHistory(agent: string | null): boolean {
  return dialects.some((one) => one.agent === agent && one.history !== undefined);
}

/**
 * Puts the prompts of a session that was restored back into the list, each where it belongs by its time, and
 * removes the file that they came in. Returns how many were missing; undefined where there are none.
 * @throws FileError, `in-use` as `PromptHistory.read`: then the file waits beside the session.
 */
export async function putBackPrompts(owner: Owner): Promise<number | undefined> {
  const place = findPlace(owner);
  const from = getPromptsPath(owner.path);
  if (!place || !(await fileExists(from))) return undefined;
  const { agent, file, history } = place;
  requireUnused(agent, owner.path, file);
  const stored = splitLines(readRegularFile(from, MAX_PROMPTS_BYTES)).filter(
    ({ value }) => history.getSessionId(value) === owner.id,
  );
  const added = await mergeLines(file, history, stored);
  await removeOwnFile(from);
  return added.length;
}

/**
 * Adds prompts to those that wait beside a session, each once: these may be of a run that was killed, and in
 * the list, too, or of a session that was restored, and in no list. Returns what takes that back.
 */
async function addBeside(
  path: string,
  history: HistoryDialect,
  prompts: readonly Prompt[],
): Promise<() => Promise<void>> {
  if (getFileSize(path) === 0) await removeOwnFile(path);
  const isNew = !(await fileExists(path));
  const added = new Set((await mergeLines(path, history, prompts)).map(({ text }) => text));
  return async () => {
    if (isNew) return removeOwnFile(path);
    if (!(await fileExists(path))) return;
    const planned = await readLines(path, () => undefined);
    await replaceFile(path, ({ bytes }) => (added.has(toText(bytes)) ? [] : undefined), {
      planned,
    });
  };
}

/** The file has the prompts of one session. */
const MAX_PROMPTS_BYTES = 256 * 1024 * 1024;

interface Prompt {
  /** One character for each byte, so that no byte is lost. */
  readonly text: string;
  readonly value: JsonObject;
}

function splitLines(bytes: Buffer): readonly Prompt[] {
  return toText(bytes)
    .split('\n')
    .flatMap((text) => {
      const value = parse(toBytes(text).toString('utf8'));
      return isObject(value) ? [{ text, value }] : [];
    });
}

function toText(bytes: Buffer): string {
  return bytes.toString('latin1');
}

function toBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Adds prompts to a list, each where it belongs by its time; returns those that were missing. */
async function mergeLines(
  file: string,
  history: HistoryDialect,
  stored: readonly Prompt[],
): Promise<readonly Prompt[]> {
  if (!(await fileExists(file))) {
    await createFile(file, toLines(stored));
    return stored;
  }
  const { stamp, last, missing } = await findMissing(file, stored);
  const waiting = missing.toSorted((a, b) => history.getTime(a.value) - history.getTime(b.value));
  if (last === 0 && waiting.length > 0) {
    throw new FileError(file, 'ECHANGED', 'is empty; remove it, and restore again');
  }
  await replaceFile(
    file,
    (line) => {
      const content = parseLine(line);
      const time = content.kind === 'object' ? history.getTime(content.value) : Number.NaN;
      const before = takeEarlier(waiting, history, time);
      const after = line.number === last ? waiting.splice(0) : [];
      if (before.length + after.length === 0) return undefined;
      return [
        ...toLines(before),
        Buffer.concat([line.bytes, Buffer.from('\n')]),
        ...toLines(after),
      ];
    },
    { planned: stamp },
  );
  return missing;
}

function toLines(prompts: readonly Prompt[]): readonly Buffer[] {
  return prompts.map(({ text }) => toBytes(`${text}\n`));
}

/** Finds the prompts that are not in a list, and the number of its lines. */
async function findMissing(file: string, stored: readonly Prompt[]) {
  const wanted = new Set(stored.map(({ text }) => text));
  const known = new Set<string>();
  let last = 0;
  const stamp = await readLines(file, ({ bytes, number }) => {
    const text = toText(bytes);
    if (wanted.has(text)) known.add(text);
    last = number;
  });
  return { stamp, last, missing: stored.filter(({ text }) => !known.has(text)) };
}

/** Takes those that come before a time. */
function takeEarlier(waiting: Prompt[], history: HistoryDialect, time: number): readonly Prompt[] {
  const end = waiting.findIndex(({ value }) => !(history.getTime(value) < time));
  return waiting.splice(0, end === -1 ? waiting.length : end);
}

interface Place {
  readonly agent: Agent;
  readonly history: HistoryDialect;
  readonly file: string;
}

function findPlace({ agent, path }: Owner): Place | undefined {
  const dialect = dialects.find((one) => one.agent === agent);
  const file = dialect?.history?.findFile(path);
  return dialect?.history && file !== undefined
    ? { agent: dialect.agent, history: dialect.history, file }
    : undefined;
}

/** The lists of a store, of whichever agent. */
function listPlaces(store: string): readonly Place[] {
  return dialects.flatMap(({ agent, history }) => {
    const file = history?.findFileOfStore(store);
    return history && file !== undefined ? [{ agent, history, file }] : [];
  });
}

/** @throws FileError */
function requireUnused(agent: Agent, path: string, file: string): void {
  const pid = findLiveProcess(agent, path);
  if (pid === undefined) return;
  const message =
    `can be changed only while no client runs, but process ${pid} has ${dirname(file)} open; end it, ` +
    'or leave out --history';
  throw new FileError(file, 'in-use', message);
}

async function withPrompts(files: SessionFiles, path: string): Promise<SessionFiles> {
  const name = toOwnName(path, files.root);
  const others = files.sidecars.filter((one) => one.name !== name);
  const now = await readAgain({ ...files, sidecars: [...others, { name, kind: 'file' }] });
  const before = files.files.filter((one) => one.name !== name);
  return keepStamps(now, before);
}
