import type { HistoryDialect } from '../../../session/dialect/surroundings/history.ts';
import { type JsonObject, parseJsonObject } from '../../../session/jsonl/edit/json.ts';
import { fileExists, readLines } from '../../../session/jsonl/read/read-lines.ts';
import { getBomLength } from '../../../session/jsonl/read/parse-line.ts';
import { createFile, removeOwnFile } from '../../../session/jsonl/write/create-file.ts';
import { appendLines } from '../../../session/jsonl/write/append-file.ts';
import { replaceFile } from '../../../session/jsonl/write/replace-file.ts';
import { getFileSize } from '../../files/stat-file.ts';

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

export interface Prompt {
  /** One character for each byte, so that no byte is lost. */
  readonly text: string;
  readonly value: JsonObject;
}

export function splitLines(bytes: Buffer): readonly Prompt[] {
  return toText(bytes)
    .split('\n')
    .flatMap((text) => {
      const value = parsePrompt(toBytes(text));
      return value ? [{ text, value }] : [];
    });
}

/** Counts the lines that are not blank, whatever they hold. */
export function countLines(bytes: Buffer): number {
  return toText(bytes)
    .split('\n')
    .filter((text) => text.trim() !== '').length;
}

/** The first line of a list may begin with a mark; where lines are taken from it, that can be any line. */
export function parsePrompt(line: Buffer): JsonObject | undefined {
  return parseJsonObject(line.toString('utf8', getBomLength(line)));
}

function toText(bytes: Buffer): string {
  return bytes.toString('latin1');
}

function toBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Adds prompts to a list, each where it belongs by its time; returns those that were missing. */
export async function mergeLines(
  file: string,
  history: HistoryDialect,
  stored: readonly Prompt[],
): Promise<readonly Prompt[]> {
  if (!(await fileExists(file))) {
    await createFile(file, toLines(sortByTime(stored, history)));
    return stored;
  }
  const { stamp, last, missing } = await findMissing(file, stored);
  const waiting = sortByTime(missing, history);
  if (last === 0) {
    await appendLines(file, toLines(waiting), { planned: stamp });
    return missing;
  }
  await replaceFile(
    file,
    (line) => {
      const value = parsePrompt(line.bytes);
      const time = value ? history.getTime(value) : Number.NaN;
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

function sortByTime(prompts: readonly Prompt[], history: HistoryDialect): Prompt[] {
  return prompts.toSorted((a, b) => history.getTime(a.value) - history.getTime(b.value));
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
