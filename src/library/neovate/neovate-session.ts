import { statFile } from '../../store/files/stat-file.ts';
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { CoppiceError, FileError } from '../../errors.ts';
import { toSessionId } from '../../session/agents/neovate/format.ts';
import { getObject } from '../../session/jsonl/edit/json.ts';
import { buildTree, getPath } from '../../session/model/tree/tree.ts';
import { toOneLine } from '../../session/model/text/cut-text.ts';
import { check, checkOptional, checkOptions } from '../arguments.ts';
import { forkSession } from '../functions/fork-session.ts';
import { NeovateFile } from './neovate-file.ts';
import type {
  AppendableNeovateMessage,
  NeovateConfig,
  NeovateMessage,
} from './neovate-messages.ts';
import { asNeovateConfig, asNeovateMessage, asRecord } from '../typed.ts';

/** Facts that a session of Neovate needs and no file holds. Tests hand in their own. */
export interface NeovateWorld {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A new UUID. */
  readonly createId: () => string;
}

export interface NeovateOptions {
  readonly world?: NeovateWorld | undefined;
}

const ROLES = ['user', 'assistant', 'tool'] as const;

/**
 * A session of Neovate 0.17.1: messages that are attached to one another, and settings in the first line.
 *
 * Nothing is written on opening. A message is in memory only once it is in the file; a torn last line
 * is closed first; what another program has appended meanwhile is read, and is kept. Settings replace
 * the first line by a safe replacement of the file. A file that was replaced or cut short meanwhile is
 * not touched: `FileError`, `ECHANGED`.
 */
export class NeovateSession {
  readonly #file: NeovateFile;
  readonly #world: NeovateWorld;
  /** The message that the next one is attached to; null: on none. */
  #leaf: string | null;

  private constructor(file: NeovateFile, world: NeovateWorld) {
    this.#file = file;
    this.#world = world;
    this.#leaf = file.lastUuid;
  }

  /**
   * A new session, whose file comes with the first message or setting.
   * @throws FileError, `EEXIST`, if there is something of this name.
   */
  static create(path: string, options: NeovateOptions = {}): NeovateSession {
    const { file, world } = start(path, options);
    if (statFile(file)) throw new FileError(file, 'EEXIST', 'cannot create: already exists');
    return new NeovateSession(NeovateFile.begin(file), world);
  }

  /** A session that is there. @throws FileError if it cannot be read or is not a session of Neovate. */
  static open(path: string, options: NeovateOptions = {}): NeovateSession {
    const { file, world } = start(path, options);
    const loaded = NeovateFile.load(file);
    if (!loaded) throw new FileError(file, 'ENOENT', 'cannot read: no such file or directory');
    return new NeovateSession(loaded, world);
  }

  /** A session that is there, or a new one; as `--resume` of the agent. @throws FileError as `open`. */
  static resume(path: string, options: NeovateOptions = {}): NeovateSession {
    const { file, world } = start(path, options);
    return new NeovateSession(NeovateFile.load(file) ?? NeovateFile.begin(file), world);
  }

  getSessionFile(): string {
    return this.#file.path;
  }

  /** The name of the file, which is the identity of a session. */
  getSessionId(): string {
    return toSessionId(this.#file.path);
  }

  /** Returns the settings of the first config line; empty if there is none. */
  getConfig(): NeovateConfig {
    return asNeovateConfig(getObject(this.#file.config ?? {}, 'config') ?? {});
  }

  /** The title that a person gave, or else that of the settings. */
  getSummary(): string | undefined {
    return this.#file.title ?? this.getConfig().summary;
  }

  /** Every message of every branch, in file order. */
  getAllMessages(): NeovateMessage[] {
    return this.#file.messages.map(({ value }) => asNeovateMessage(value));
  }

  /** The messages that the agent continues from, in file order. */
  getMessages(): NeovateMessage[] {
    return this.#leaf === null ? [] : this.getMessagesToUuid(this.#leaf);
  }

  /** The messages from the beginning to one of them, in file order. @throws CoppiceError for an unknown one. */
  getMessagesToUuid(uuid: string): NeovateMessage[] {
    check('uuid', 'text', uuid);
    const { messages } = this.#file;
    const tree = buildTree(
      messages.map(({ entry }) => entry),
      { pathOrder: 'file' },
    );
    const entry = tree.get(uuid);
    if (!entry) throw new CoppiceError(`Message ${uuid} not found`);
    const path = new Set(getPath(tree, entry));
    return messages.flatMap((one) => (path.has(one.entry) ? asNeovateMessage(one.value) : []));
  }

  /** Returns the uuid of the message to which the next one is attached; null before the first. */
  getLatestUuid(): string | null {
    return this.#leaf;
  }

  /**
   * Appends a message, by default below the latest one; returns its uuid. `parentUuid` null begins again.
   * @throws CoppiceError for an unknown parent or a uuid that is taken; FileError if it cannot be written.
   */
  appendMessage(
    message: AppendableNeovateMessage,
    options: { readonly parentUuid?: string | null | undefined } = {},
  ): string {
    check('message', 'object', message);
    check('message.role', ROLES, message.role);
    const { content } = message;
    check('message.content', typeof content === 'string' ? 'text' : 'objects', content);
    checkOptional('message.uuid', 'text', message.uuid);
    const { parentUuid = this.#leaf } = options;
    if (parentUuid !== null) check('parentUuid', 'text', parentUuid);
    checkOptions({ ...options, parentUuid: undefined }, { parentUuid: 'text' });
    const { uuid = this.#createUuid(), role, ...rest } = message;
    this.#file.append(() => {
      if (message.uuid !== undefined && this.#file.has(uuid)) {
        throw new CoppiceError(`Message ${uuid} is there already`);
      }
      if (parentUuid !== null && !this.#file.has(parentUuid)) {
        throw new CoppiceError(`Message ${parentUuid} not found`);
      }
      return {
        parentUuid,
        uuid,
        role,
        ...asRecord(rest),
        type: 'message',
        timestamp: new Date(this.#world.now()).toISOString(),
        sessionId: this.getSessionId(),
      };
    });
    this.#leaf = uuid;
    return uuid;
  }

  /**
   * Sets some of the settings; undefined takes one away. The config line becomes the first of the file.
   * @throws FileError if the file cannot be replaced; it is then as it was.
   */
  setConfig(settings: NeovateConfig): void {
    check('settings', 'object', settings);
    checkOptional('settings.summary', 'text', settings.summary);
    this.#file.setSettings(asRecord(settings));
  }

  /** Sets the title, also where a person gave another one. @throws FileError as `setConfig`. */
  setSummary(summary: string): void {
    check('summary', 'text', summary);
    const title = toOneLine(summary);
    this.#file.setSettings({ summary: title }, title);
  }

  /**
   * A new session beside this one, made of the messages to one of them, by default the latest; uuids
   * are kept, as by `fork session` of newer releases. @throws FileError if it cannot be made.
   */
  async fork(
    uuid: string | null = this.#leaf,
    options: { readonly id?: string } = {},
  ): Promise<NeovateSession> {
    check('uuid', 'text', uuid);
    checkOptions(options, { id: 'text' });
    const from = { start: { kind: 'at', entry: uuid ?? '' } } as const;
    const [fork] = await forkSession(this.#file.path, { ...from, ...options });
    if (!fork) throw new CoppiceError('nothing was forked');
    return NeovateSession.open(fork.path, { world: this.#world });
  }

  #createUuid(): string {
    for (;;) {
      const uuid = this.#world.createId();
      if (!this.#file.has(uuid)) return uuid;
    }
  }
}

function start(path: string, options: NeovateOptions): { file: string; world: NeovateWorld } {
  check('path', 'path', path);
  checkOptions(options, { world: 'object' });
  const { world = { now: Date.now, createId: randomUUID } } = options;
  return { file: resolve(path), world };
}
