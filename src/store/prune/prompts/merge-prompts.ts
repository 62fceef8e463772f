import { dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import {
  getPromptsPath,
  type HistoryDialect,
} from '../../../session/dialect/surroundings/history.ts';
import { type JsonObject, parseJsonObject } from '../../../session/jsonl/edit/json.ts';
import { createCleaner } from '../../../session/jsonl/files/temp-file.ts';
import { fileExists, readLines } from '../../../session/jsonl/read/read-lines.ts';
import { parseLine } from '../../../session/jsonl/read/parse-line.ts';
import { createFile, removeOwnFile } from '../../../session/jsonl/write/create-file.ts';
import { appendLines } from '../../../session/jsonl/write/append-file.ts';
import { replaceFile } from '../../../session/jsonl/write/replace-file.ts';
import { readRegularFile } from '../../files/read-regular-file.ts';
import { getFileSize } from '../../files/stat-file.ts';
import { findHeldIn } from '../../sessions/sidecars/held-in.ts';
import { Survey } from '../../sessions/sidecars/survey.ts';
import { forgetNoted } from '../../remove/removal-note.ts';
import { createFileTest } from './own-files.ts';
import { findPlace, type Owner, requireUnused } from './prompt-list.ts';

/**
 * Restores the prompts of restored sessions in the lists of their agents, one session after another: several may have
 * one list. All of them are back by then.
 */
export class PromptRestorer {
  /** The other files of the sessions are looked for once. */
  readonly #survey = new Survey();
  readonly #isRestored: (path: string) => boolean;
  /** Removes what killed runs have left beside a list. */
  readonly #cleanUp: (directory: string) => Promise<void>;

  /** `now`: milliseconds. */
  constructor(restored: readonly Owner[], now: number) {
    this.#isRestored = createFileTest(restored);
    this.#cleanUp = createCleaner(now);
  }

  /**
   * Puts the prompts of a session into the list, each where it belongs by its time, and removes the file that they
   * came in. Returns how many were missing; undefined where there are none.
   * @throws FileError, `in-use` as `PromptHistory.read`, and where they may be of another file of the session:
   * then the file waits beside the session.
   */
  async restore(owner: Owner): Promise<number | undefined> {
    const place = findPlace(owner);
    const from = getPromptsPath(owner.path);
    if (!place) return undefined;
    const { file, history } = place;
    await forgetNoted(file, owner);
    if (!(await fileExists(from))) return undefined;
    requireUnused(place);
    this.#requireOnlyFile(owner);
    // An archive may describe it as any session.
    const id = history.toId(owner.path);
    const stored = splitLines(readRegularFile(from, MAX_PROMPTS_BYTES)).filter(
      ({ value }) => history.getSessionId(value) === id,
    );
    await this.#cleanUp(dirname(file));
    const added = await mergeLines(file, history, stored);
    await removeOwnFile(from);
    return added.length;
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

/**
 * Adds prompts to those that wait beside a session, each once: these may be of a run that was killed, and in
 * the list, too, or of a session that was restored, and in no list. Returns what takes that back.
 */
export async function addBeside(
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

export function splitLines(bytes: Buffer): readonly Prompt[] {
  return toText(bytes)
    .split('\n')
    .flatMap((text) => {
      const value = parseJsonObject(toBytes(text).toString('utf8'));
      return value ? [{ text, value }] : [];
    });
}

function toText(bytes: Buffer): string {
  return bytes.toString('latin1');
}

function toBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
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
  if (last === 0) {
    await appendLines(file, toLines(waiting), { planned: stamp });
    return missing;
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
