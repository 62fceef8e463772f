import { dirname, resolve } from 'node:path';
import { getString, type JsonObject } from '../session/jsonl/edit/json.ts';
import { getCurrentSystemMessage } from '../session/agents/pi/compaction/system-message.ts';
import { toProjectDirectoryName } from '../session/agents/pi/places/project-directory.ts';
import { buildRecordContext } from './records/build-record-context.ts';
import type {
  EditableContent,
  ModelContext,
  SessionEntry,
  SessionHeader,
  SessionTreeNode,
  UsageEntry,
} from './entries.ts';
import { toContextReplacement } from './records/context-edit.ts';
import { copySession } from './copy-session.ts';
import {
  findMostRecentSession,
  listProjectDirectories,
  listSessions,
  type SessionInfo,
  type SessionListProgress,
  toDefaultDirectory,
} from './list-sessions.ts';
import { readHeaderSync } from './load-session.ts';
import type { AppendableMessage, CustomMessage, MessageUsage } from './messages.ts';
import { type NewSessionOptions, SessionLog } from './session-log.ts';
import { asContext, asEntry, asHeader, asRecord } from './typed.ts';
import { getSessionWorld, type SessionWorld } from './world.ts';
import { toOneLine } from '../session/model/text/to-one-line.ts';

/** For tests: another clock, other ids, another agent directory. */
export interface WorldOption {
  readonly world?: SessionWorld;
}

/**
 * A session of pi, as pi's own `SessionManager` (1.5.2) has it: a tree of entries, a leaf that
 * appended entries hang on, and a file that only grows.
 *
 * What differs: nothing is written on opening, every walk ends on damaged files, and appending is
 * safe. The entry is in memory only once it is in the file; a torn last line is closed first; what
 * another program has appended meanwhile is read, and stays; an old version is migrated, by a safe
 * replacement, at the first append; a file that was replaced or cut short is not touched.
 */
export class SessionManager {
  readonly #log: SessionLog;

  private constructor(log: SessionLog) {
    this.#log = log;
  }

  /** A new session, in pi's own place unless a directory is given. */
  static create(
    cwd: string,
    sessionDir?: string,
    options: NewSessionOptions & WorldOption = {},
  ): SessionManager {
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
    const world = options.world ?? getSessionWorld();
    const directory = toDirectory(cwd, sessionDir, world);
    const isFlat = directory !== toDirectory(cwd, undefined, world);
    const recent = findMostRecentSession(directory, isFlat ? resolve(cwd) : undefined);
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
    const world = getSessionWorld();
    const directory = toDirectory(cwd, sessionDir, world);
    const isFlat = directory !== toDirectory(cwd, undefined, world);
    const own = isFlat ? resolve(cwd) : undefined;
    return listSessions([directory], { cwd: own, onProgress, signal });
  }

  /** The sessions of all projects, or of one flat directory, latest activity first. */
  static async listAll(
    sessionDir?: string,
    onProgress?: SessionListProgress,
    signal?: AbortSignal,
  ): Promise<SessionInfo[]> {
    const directories =
      sessionDir === undefined
        ? await listProjectDirectories(toDefaultDirectory(getSessionWorld().agentDir, ''))
        : [resolve(sessionDir)];
    return listSessions(directories, { onProgress, signal });
  }

  /** Goes on with another file. @throws FileError if it cannot be read or is not a session. */
  setSessionFile(sessionFile: string): void {
    this.#log.open(resolve(sessionFile));
  }

  /** Begins a new session; returns where its file will be once there is a conversation. */
  newSession(options: NewSessionOptions = {}): string | undefined {
    this.#log.begin(options);
    return this.#log.path;
  }

  isPersisted(): boolean {
    return this.#log.directory !== undefined;
  }

  getCwd(): string {
    return this.#log.cwd;
  }

  /** Empty for a session in memory. */
  getSessionDir(): string {
    return this.#log.directory ?? '';
  }

  getSessionId(): string {
    return getString(this.#log.header, 'id') ?? '';
  }

  /** Where the session is, or will be; undefined for one in memory. */
  getSessionFile(): string | undefined {
    return this.#log.path;
  }

  getHeader(): SessionHeader {
    return asHeader(this.#log.header);
  }

  getEntries(): SessionEntry[] {
    return this.#log.table.records.map(asEntry);
  }

  getEntry(id: string): SessionEntry | undefined {
    const record = this.#log.table.get(id);
    return record && asEntry(record);
  }

  getChildren(parentId: string): SessionEntry[] {
    return this.#log.table.childrenOf(parentId).map(asEntry);
  }

  getLabel(id: string): string | undefined {
    return this.#log.table.labels.get(id)?.label;
  }

  /** The last name that was given; undefined if there is none or it was cleared. */
  getSessionName(): string | undefined {
    const info = this.#log.table.records.findLast(({ type }) => type === 'session_info');
    return (info && getString(info, 'name')?.trim()) || undefined;
  }

  /** Null before the first entry. */
  getLeafId(): string | null {
    return this.#log.leafId;
  }

  getLeafEntry(): SessionEntry | undefined {
    return this.#log.leafId === null ? undefined : this.getEntry(this.#log.leafId);
  }

  /** From the root to an entry, by default the leaf; root first. */
  getBranch(fromId?: string): SessionEntry[] {
    return this.#log.table.pathTo(fromId ?? this.#log.leafId).map(asEntry);
  }

  /** The roots, orphans among them; children oldest first. */
  getTree(): SessionTreeNode[] {
    return this.#log.table.toTree();
  }

  /** What the model is sent when the session goes on at the leaf. */
  buildSessionContext(): ModelContext {
    return asContext(buildRecordContext(this.#log.table.pathTo(this.#log.leafId)));
  }

  // Each of these hangs a new entry on the leaf, makes it the leaf, and returns its id.

  appendMessage(message: AppendableMessage): string {
    return this.#log.append('message', { message: asRecord(message) });
  }

  appendThinkingLevelChange(thinkingLevel: string): string {
    return this.#log.append('thinking_level_change', { thinkingLevel });
  }

  appendModelChange(provider: string, modelId: string): string {
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
    return this.#log.append('custom', { customType, ...toOptional({ data }) });
  }

  /** A message of an extension, which the model sees. */
  appendCustomMessageEntry(
    customType: string,
    content: CustomMessage['content'],
    display: boolean,
    details?: unknown,
  ): string {
    const fields = toOptional({ content, details });
    return this.#log.append('custom_message', { customType, ...fields, display });
  }

  /** Names the session; empty clears the name. */
  appendSessionInfo(name: string): string {
    return this.#log.append('session_info', { name: toOneLine(name) });
  }

  /** Labels an entry; empty or undefined clears. @throws CoppiceError for an unknown entry. */
  appendLabelChange(targetId: string, label: string | undefined): string {
    this.#log.require(targetId);
    return this.#log.append('label', { targetId, label });
  }

  /**
   * Replaces what the model sees of an entry on the branch; null takes it out.
   * @throws CoppiceError for an entry that is not on the branch or has nothing to replace.
   */
  appendContextEdit(targetId: string, replacement: { content: EditableContent } | null): string {
    const branch = this.#log.table.pathTo(this.#log.leafId);
    const edit = toContextReplacement(this.#log.require(targetId), branch, replacement);
    return this.#log.append('context_edit', { targetId, replacement: edit });
  }

  /** Goes on from an earlier entry. @throws CoppiceError for an unknown entry. */
  branch(branchFromId: string): void {
    this.#log.require(branchFromId);
    this.#log.leafId = branchFromId;
  }

  /** Goes on before the first entry. */
  resetLeaf(): void {
    this.#log.leafId = null;
  }

  /** Goes on from an earlier entry (null: before the first), with a summary of what was left. */
  branchWithSummary(
    branchFromId: string | null,
    summary: string,
    details?: unknown,
    fromHook?: boolean,
    usage?: MessageUsage,
  ): string {
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
    this.#log.branchOff(leafId);
    return this.#log.path;
  }
}

/** What was not given is not written. */
function toOptional(fields: Readonly<Record<string, unknown>>): JsonObject {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return asRecord(Object.fromEntries(given));
}

function toDirectory(cwd: string, sessionDir: string | undefined, world: SessionWorld): string {
  if (sessionDir !== undefined) return resolve(sessionDir);
  return toDefaultDirectory(world.agentDir, toProjectDirectoryName(resolve(cwd)));
}
