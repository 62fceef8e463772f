import { getString } from '../../session/jsonl/edit/json.ts';
import { check, checkOptional } from '../arguments.ts';
import type { ModelContext, SessionEntry, SessionHeader, SessionTreeNode } from './entries.ts';
import { buildRecordContext } from './records/build-record-context.ts';
import type { SessionLog } from './session-log.ts';
import { asContext, asEntry, asHeader } from '../typed.ts';

/** The half of a session manager that reads: facts, entries, paths, the context. */
export class SessionView {
  readonly #log: SessionLog;

  protected constructor(log: SessionLog) {
    this.#log = log;
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

  /** Returns the path that the session has, or will have; undefined for one in memory. */
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
    check('id', 'text', id);
    const record = this.#log.table.get(id);
    return record && asEntry(record);
  }

  getChildren(parentId: string): SessionEntry[] {
    check('parentId', 'text', parentId);
    return this.#log.table.childrenOf(parentId).map(asEntry);
  }

  getLabel(id: string): string | undefined {
    check('id', 'text', id);
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

  /** Returns the path from the root to an entry, by default the leaf; root first. */
  getBranch(fromId?: string): SessionEntry[] {
    checkOptional('fromId', 'text', fromId);
    return this.#log.table.pathTo(fromId ?? this.#log.leafId).map(asEntry);
  }

  /** The roots, orphans among them; children oldest first. */
  getTree(): SessionTreeNode[] {
    return this.#log.table.toTree();
  }

  /** Builds the messages that the model is sent when the session continues at the leaf. */
  buildSessionContext(): ModelContext {
    return asContext(buildRecordContext(this.#log.table.pathTo(this.#log.leafId)));
  }
}
