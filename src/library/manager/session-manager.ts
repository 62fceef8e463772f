import { dirname, resolve } from 'node:path';
import { getString, type JsonObject } from '../../session/jsonl/edit/json.ts';
import { getCurrentSystemMessage } from '../../session/agents/pi/compaction/to-model/system-message.ts';
import { toProjectDirectoryName } from '../../session/agents/pi/places/session-place.ts';
import { buildRecordContext } from './records/build-record-context.ts';
import type { EditableContent, SessionEntry, UsageEntry } from './entries.ts';
import { check, checkOptional, checkOptions } from '../arguments.ts';
import { toContextReplacement } from './records/context-edit.ts';
import { copySession } from '../functions/copy-session.ts';
import {
  findMostRecentSession,
  listProjectDirectories,
  listSessions,
  type SessionInfo,
  type SessionListProgress,
  toDefaultDirectory,
} from '../functions/list-sessions.ts';
import { readHeaderSync } from '../functions/load-session.ts';
import type { AppendableMessage, CustomMessage, MessageUsage } from './messages.ts';
import { type NewSessionOptions, SessionLog } from './session-log.ts';
import { SessionView } from './session-view.ts';
import { asRecord } from '../typed.ts';
import { getSessionWorld, type SessionWorld } from '../world.ts';
import { toOneLine } from '../../session/model/text/cut-text.ts';

/** An option for tests: another clock, other ids, another agent directory. */
export interface WorldOption {
  readonly world?: SessionWorld;
}

/**
 * A session of pi, as pi's own `SessionManager` (1.6.0) has it: a tree of entries, a leaf that
 * appended entries are attached to, and a file that only grows.
 *
 * What differs: nothing is written on opening, every walk ends on damaged files, and appending is
 * safe. The entry is in memory only once it is in the file; a torn last line is closed first; what
 * another program has appended meanwhile is read, and is kept; an old version is migrated, by a safe
 * replacement, at the first append; a file that was replaced or cut short is not touched.
 */
export class SessionManager extends SessionView {
  readonly #log: SessionLog;

  private constructor(log: SessionLog) {
    super(log);
    this.#log = log;
  }

  /** A new session, in pi's own place unless a directory is given. */
  static create(
    cwd: string,
    sessionDir?: string,
    options: NewSessionOptions & WorldOption = {},
  ): SessionManager {
    check('cwd', 'text', cwd);
    checkOptional('sessionDir', 'path', sessionDir);
    checkOptions(options, NEW_SESSION);
    const world = options.world ?? getSessionWorld();
    const log = new SessionLog(resolve(cwd), toDirectory(cwd, sessionDir, world), world);
    log.begin(options);
    return new SessionManager(log);
  }

  /**
   * Opens a session file of any version, without writing to it. Where there is none, or an empty
   * one, a new session that will be written there.
   * @throws FileError if it cannot be read or is not a session.
   */
  static open(
    path: string,
    sessionDir?: string,
    cwdOverride?: string,
    { world = getSessionWorld() }: WorldOption = {},
  ): SessionManager {
    check('path', 'path', path);
    checkOptional('sessionDir', 'path', sessionDir);
    checkOptional('cwdOverride', 'text', cwdOverride);
    const file = resolve(path);
    const header = cwdOverride === undefined ? readHeaderSync(file) : undefined;
    const cwd = cwdOverride ?? (header && getString(header, 'cwd')) ?? process.cwd();
    const directory = sessionDir === undefined ? dirname(file) : resolve(sessionDir);
    const log = new SessionLog(resolve(cwd), directory, world);
    log.open(file);
    return new SessionManager(log);
  }

  /** The session of a working directory that was written last, or a new one. */
  static continueRecent(
    cwd: string,
    sessionDir?: string,
    options: WorldOption = {},
  ): SessionManager {
    check('cwd', 'text', cwd);
    checkOptional('sessionDir', 'path', sessionDir);
    checkOptions(options, { world: 'object' });
    const world = options.world ?? getSessionWorld();
    const directory = toDirectory(cwd, sessionDir, world);
    const recent = findMostRecentSession(directory, toOwnCwd(cwd, directory, world));
    const log = new SessionLog(resolve(cwd), directory, world);
    if (recent === undefined) log.begin();
    else log.open(recent);
    return new SessionManager(log);
  }

  /** A session without a file, empty or made of entries from elsewhere. */
  static inMemory(
    cwd = process.cwd(),
    options: NewSessionOptions & WorldOption = {},
    entries: readonly SessionEntry[] = [],
  ): SessionManager {
    check('cwd', 'text', cwd);
    checkOptions(options, NEW_SESSION);
    check('entries', 'objects', entries);
    const log = new SessionLog(resolve(cwd), undefined, options.world ?? getSessionWorld());
    log.begin(options, entries.map(asRecord));
    return new SessionManager(log);
  }

  /**
   * A new session with every entry of another one, for another working directory. Unlike pi's, it
   * is migrated on the way, and the copied lines keep their bytes.
   * @throws FileError if the source cannot be read or is not a session, or the new file exists.
   */
  static forkFrom(
    sourcePath: string,
    targetCwd: string,
    sessionDir?: string,
    options: Pick<NewSessionOptions, 'id'> & WorldOption = {},
  ): SessionManager {
    check('sourcePath', 'path', sourcePath);
    check('targetCwd', 'text', targetCwd);
    checkOptional('sessionDir', 'path', sessionDir);
    checkOptions(options, NEW_SESSION);
    const world = options.world ?? getSessionWorld();
    const source = resolve(sourcePath);
    const directory = toDirectory(targetCwd, sessionDir, world);
    const log = new SessionLog(resolve(targetCwd), directory, world);
    log.begin({ ...options, parentSession: source });
    if (log.path !== undefined) log.open(copySession(source, log.path, log.header));
    return new SessionManager(log);
  }

  /** The sessions of a working directory, latest activity first. */
  static list(
    cwd: string,
    sessionDir?: string,
    onProgress?: SessionListProgress,
    signal?: AbortSignal,
  ): Promise<SessionInfo[]> {
    check('cwd', 'text', cwd);
    checkListing(sessionDir, onProgress, signal);
    const world = getSessionWorld();
    const directory = toDirectory(cwd, sessionDir, world);
    const own = toOwnCwd(cwd, directory, world);
    return listSessions([directory], { cwd: own, onProgress, signal });
  }

  /** The sessions of all projects, or of one flat directory, latest activity first. */
  static async listAll(
    sessionDir?: string,
    onProgress?: SessionListProgress,
    signal?: AbortSignal,
  ): Promise<SessionInfo[]> {
    checkListing(sessionDir, onProgress, signal);
    const directories =
      sessionDir === undefined
        ? listProjectDirectories(toDefaultDirectory(getSessionWorld().agentDir, ''))
        : [resolve(sessionDir)];
    return listSessions(directories, { onProgress, signal });
  }

  /** Continues with another file. @throws FileError if it cannot be read or is not a session. */
  setSessionFile(sessionFile: string): void {
    check('sessionFile', 'path', sessionFile);
    this.#log.open(resolve(sessionFile));
  }

  /** Begins a new session; returns where its file will be once there is a conversation. */
  newSession(options: NewSessionOptions = {}): string | undefined {
    checkOptions(options, NEW_SESSION);
    this.#log.begin(options);
    return this.#log.path;
  }

  // Each of these attaches a new entry to the leaf, makes it the leaf, and returns its id.

  appendMessage(message: AppendableMessage): string {
    check('message', 'object', message);
    check('message.role', 'text', message.role);
    return this.#log.append('message', { message: asRecord(message) });
  }

  appendThinkingLevelChange(thinkingLevel: string): string {
    check('thinkingLevel', 'text', thinkingLevel);
    return this.#log.append('thinking_level_change', { thinkingLevel });
  }

  appendModelChange(provider: string, modelId: string): string {
    check('provider', 'text', provider);
    check('modelId', 'text', modelId);
    return this.#log.append('model_change', { provider, modelId });
  }

  /** Usage that counts in totals, and not in the context. Returns the entry, as pi's does. */
  appendUsage(
    kind: string,
    provider: string,
    model: string,
    usage: MessageUsage,
    note?: string,
  ): UsageEntry {
    for (const [name, value] of Object.entries({ kind, provider, model }))
      check(name, 'text', value);
    check('usage', 'object', usage);
    checkOptional('note', 'text', note);
    const fields = { kind, provider, model, usage: asRecord(usage), ...(note && { note }) };
    const entry = this.getEntry(this.#log.append('usage', fields));
    if (entry?.type !== 'usage') throw new Error('an entry that was appended is gone');
    return entry;
  }

  /** `firstKeptEntryId` null keeps nothing from before. */
  appendCompaction(
    summary: string,
    firstKeptEntryId: string | null,
    tokensBefore: number,
    details?: unknown,
    fromHook?: boolean,
    usage?: MessageUsage,
  ): string {
    check('summary', 'text', summary);
    if (firstKeptEntryId !== null) check('firstKeptEntryId', 'text', firstKeptEntryId);
    check('tokensBefore', 'amount', tokensBefore);
    checkSource(fromHook, usage);
    const { messages } = buildRecordContext(this.#log.table.pathTo(this.#log.leafId));
    const system = getCurrentSystemMessage(messages);
    return this.#log.append('compaction', (id, time) => ({
      summary,
      firstKeptEntryId: firstKeptEntryId ?? id,
      tokensBefore,
      ...toOptional({ details, usage, fromHook }),
      ...(system && { systemMessage: { ...system, timestamp: time } }),
    }));
  }

  /** State of an extension, which the model never sees. */
  appendCustomEntry(customType: string, data?: unknown): string {
    check('customType', 'text', customType);
    return this.#log.append('custom', { customType, ...toOptional({ data }) });
  }

  /** A message of an extension, which the model sees. */
  appendCustomMessageEntry(
    customType: string,
    content: CustomMessage['content'],
    display: boolean,
    details?: unknown,
  ): string {
    check('customType', 'text', customType);
    check('content', typeof content === 'string' ? 'text' : 'objects', content);
    check('display', 'flag', display);
    const fields = toOptional({ content, details });
    return this.#log.append('custom_message', { customType, ...fields, display });
  }

  /** Names the session; empty clears the name. */
  appendSessionInfo(name: string): string {
    check('name', 'text', name);
    return this.#log.append('session_info', { name: toOneLine(name) });
  }

  /** Labels an entry; empty or undefined clears. @throws CoppiceError for an unknown entry. */
  appendLabelChange(targetId: string, label: string | undefined): string {
    check('targetId', 'text', targetId);
    checkOptional('label', 'text', label);
    this.#log.require(targetId);
    return this.#log.append('label', { targetId, label });
  }

  /**
   * Replaces what the model sees of an entry on the branch; null takes it out.
   * @throws CoppiceError for an entry that is not on the branch or has nothing to replace.
   */
  appendContextEdit(targetId: string, replacement: { content: EditableContent } | null): string {
    check('targetId', 'text', targetId);
    if (replacement !== null) check('replacement', 'object', replacement);
    const branch = this.#log.table.pathTo(this.#log.leafId);
    const edit = toContextReplacement(this.#log.require(targetId), branch, replacement);
    return this.#log.append('context_edit', { targetId, replacement: edit });
  }

  /** Continues from an earlier entry. @throws CoppiceError for an unknown entry. */
  branch(branchFromId: string): void {
    check('branchFromId', 'text', branchFromId);
    this.#log.require(branchFromId);
    this.#log.leafId = branchFromId;
  }

  /** Goes on before the first entry. */
  resetLeaf(): void {
    this.#log.leafId = null;
  }

  /**
   * Continues from an earlier entry (null: before the first), with a summary of the branch that was
   * left.
   */
  branchWithSummary(
    branchFromId: string | null,
    summary: string,
    details?: unknown,
    fromHook?: boolean,
    usage?: MessageUsage,
  ): string {
    if (branchFromId !== null) check('branchFromId', 'text', branchFromId);
    check('summary', 'text', summary);
    checkSource(fromHook, usage);
    if (branchFromId !== null) this.#log.require(branchFromId);
    const fields = { summary, ...toOptional({ details, usage, fromHook }) };
    return this.#log.appendAt(branchFromId, 'branch_summary', (_id, _time, left) => ({
      fromId: left ?? 'root',
      ...fields,
    }));
  }

  /**
   * Goes on in a new session made of the path to an entry; returns its file, undefined in memory.
   * @throws CoppiceError for an unknown entry; FileError if the file cannot be created.
   */
  createBranchedSession(leafId: string): string | undefined {
    check('leafId', 'text', leafId);
    this.#log.branchOff(leafId);
    return this.#log.path;
  }
}

const NEW_SESSION = { id: 'text', parentSession: 'text', world: 'object' } as const;

function checkListing(directory: unknown, onProgress: unknown, signal: unknown): void {
  checkOptional('sessionDir', 'path', directory);
  checkOptional('onProgress', 'function', onProgress);
  checkOptional('signal', 'signal', signal);
}

/** Checks the fields about the origin of a summary. */
function checkSource(fromHook: unknown, usage: unknown): void {
  checkOptional('fromHook', 'flag', fromHook);
  checkOptional('usage', 'object', usage);
}

/** Leaves out fields that were not given. */
function toOptional(fields: Readonly<Record<string, unknown>>): JsonObject {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return asRecord(Object.fromEntries(given));
}

/** Returns the working directory whose sessions are meant in a directory that is not its own, as a flat one. */
function toOwnCwd(cwd: string, directory: string, world: SessionWorld): string | undefined {
  return directory === toDirectory(cwd, undefined, world) ? undefined : resolve(cwd);
}

function toDirectory(cwd: string, sessionDir: string | undefined, world: SessionWorld): string {
  if (sessionDir !== undefined) return resolve(sessionDir);
  return toDefaultDirectory(world.agentDir, toProjectDirectoryName(resolve(cwd)));
}
