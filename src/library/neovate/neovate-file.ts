import { FileError } from '../../errors.ts';
import {
  editSettings,
  NO_SETTINGS,
  putSettingsFirst,
} from '../../session/agents/neovate/fork/settings-line.ts';
import {
  getCustomTitle,
  isConfig,
  isMessage,
  isNeovateLine,
} from '../../session/agents/neovate/format.ts';
import { toEntry } from '../../session/agents/neovate/entry/to-entry.ts';
import type { JsonObject } from '../../session/jsonl/edit/json.ts';
import type { KnownFile } from '../../session/jsonl/files/identity/known-file.ts';
import { LineSplitter } from '../../session/jsonl/read/line-splitter.ts';
import { parseLine } from '../../session/jsonl/read/parse-line.ts';
import { readLinesSync } from '../../session/jsonl/read/read-lines-sync.ts';
import { appendSync } from '../../session/jsonl/sync/append.ts';
import { createFileSync } from '../../session/jsonl/sync/create.ts';
import { replaceFileSync } from '../../session/jsonl/sync/replace.ts';
import type { Entry } from '../../session/model/entry.ts';

/** A message, and its place in the index. */
export interface IndexedMessage {
  readonly entry: Entry;
  readonly value: JsonObject;
}

interface FirstLine {
  readonly number: number;
  readonly bytes: Buffer;
  readonly value: JsonObject;
}

/** The file of one session of Neovate, as far as it is known, and what is in it. */
export class NeovateFile {
  readonly path: string;
  #stamp: KnownFile | undefined;
  #messages: IndexedMessage[] = [];
  #uuids = new Set<string>();
  #config: FirstLine | undefined;
  #title: { readonly line: number; readonly text: string } | undefined;
  #lineCount = 0;

  private constructor(path: string) {
    this.path = path;
  }

  /** A file that is yet to be created. */
  static begin(path: string): NeovateFile {
    return new NeovateFile(path);
  }

  /** Undefined where there is no file. @throws FileError if it cannot be read or is not a session. */
  static load(path: string): NeovateFile | undefined {
    const file = new NeovateFile(path);
    return file.#load() ? file : undefined;
  }

  get messages(): readonly IndexedMessage[] {
    return this.#messages;
  }

  get config(): JsonObject | undefined {
    return this.#config?.value;
  }

  /** The last title that a person gave. */
  get title(): string | undefined {
    return this.#title?.text;
  }

  get lastUuid(): string | null {
    return this.#messages.at(-1)?.entry.id ?? null;
  }

  has(uuid: string): boolean {
    return this.#uuids.has(uuid);
  }

  /**
   * Appends a message, which is made once all is known that others have appended; the first one with
   * the file. @throws FileError, and whatever `make` throws; the file is then as it was.
   */
  append(make: () => JsonObject): void {
    let made: JsonObject = {};
    const stamp = this.#stamp;
    if (stamp) {
      this.#stamp = appendSync(this.path, stamp, (foreign) => {
        this.#read(foreign);
        made = make();
        return toLine(made);
      });
    } else {
      made = make();
      this.#stamp = createFileSync(this.path, [toLine(made)]);
    }
    this.#lineCount += 1;
    this.#add(made, { number: this.#lineCount, bytes: Buffer.alloc(0) });
  }

  /** Sets some settings, and the title where another one is shown before theirs. @throws FileError */
  setSettings(settings: JsonObject, title?: string): void {
    const edits = Object.entries(settings).map(([key, value]) => {
      return { key, value: value === undefined ? undefined : JSON.stringify(value) };
    });
    if (this.#stamp) {
      // Only what still begins as it did is read again.
      appendSync(this.path, this.#stamp, () => Buffer.alloc(0));
      this.#load();
    }
    const first = editSettings(this.path, this.#config?.bytes ?? NO_SETTINGS, edits);
    if (this.#stamp && this.#stamp.size > 0) {
      const titled =
        title === undefined || !this.#title ? undefined : { line: this.#title.line, title };
      const transform = putSettingsFirst(first, this.#config?.number, titled);
      replaceFileSync(this.path, transform, this.#stamp);
    } else if (this.#stamp) {
      appendSync(this.path, this.#stamp, () => Buffer.concat([first, Buffer.from('\n')]));
    } else {
      createFileSync(this.path, [first, Buffer.from('\n')]);
    }
    this.#load();
  }

  #load(): boolean {
    this.#messages = [];
    this.#uuids = new Set();
    this.#config = undefined;
    this.#title = undefined;
    this.#lineCount = 0;
    let isOwn = false;
    const stamp = readLinesSync(this.path, (line) => {
      const content = parseLine(line);
      this.#lineCount = line.number;
      if (content.kind !== 'object') return;
      isOwn ||= isNeovateLine(content.value);
      this.#add(content.value, line);
    });
    if (!stamp) return false;
    if (!isOwn && stamp.size > 0) {
      throw new FileError(this.path, 'not-a-session', 'is not a session of Neovate');
    }
    this.#stamp = stamp;
    return true;
  }

  #read(foreign: Buffer): void {
    const splitter = new LineSplitter((line) => {
      const content = parseLine(line);
      this.#lineCount += 1;
      if (content.kind !== 'object') return;
      this.#add(content.value, { ...line, number: this.#lineCount });
    });
    splitter.push(foreign);
    splitter.end();
  }

  #add(value: JsonObject, { number, bytes }: Pick<FirstLine, 'number' | 'bytes'>): void {
    const entry = toEntry(value, { line: number, offset: number, length: 0 });
    if (isMessage(value)) {
      this.#messages.push({ entry, value });
      if (entry.id !== undefined) this.#uuids.add(entry.id);
    } else if (isConfig(value)) {
      this.#config ??= { number, bytes: Buffer.from(bytes), value };
    } else {
      const text = getCustomTitle(value);
      if (text !== undefined) this.#title = { line: number, text };
    }
  }
}

function toLine(value: JsonObject): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
