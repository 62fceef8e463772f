import type { SessionSummary } from '../../session/model/summary.ts';
import type { PackedUsages, Usage } from '../../session/model/usage.ts';
import type { NoSession } from '../../session/read/no-session.ts';
import {
  type FileState,
  type FileStates,
  getStateSize,
  isSettled,
  readFileState,
} from '../files/file-state.ts';
import { ListIndex, type RecordCodec } from './list-index.ts';
import { summaryCodec } from './summary-record.ts';

/** The cache of summaries; usage is in a file of its own, which few runs need. */
export class SummaryIndex {
  readonly #sessions: ListIndex<SessionSummary | NoSession>;
  readonly #usages: ListIndex<StoredUsage> | undefined;
  /** The states of files that were looked up before they were read. */
  readonly #states = new Map<string, FileState>();

  /** The states of files that the caller has looked up before. */
  readonly #given: FileStates | undefined;

  constructor(directory: string, { usage }: { readonly usage: boolean }, given?: FileStates) {
    this.#given = given;
    this.#sessions = new ListIndex(directory, 'sessions.ndjson', summaryCodec);
    this.#usages = usage ? new ListIndex(directory, 'usage.ndjson', usageCodec) : undefined;
  }

  /** Undefined for a file that has to be read. `now`: milliseconds. */
  get(path: string, now: number): SessionSummary | NoSession | undefined {
    const state = this.#given?.get(path) ?? readFileState(path);
    if (state === undefined || !isSettled(state, now)) return undefined;
    const known = this.#sessions.get(path, state);
    // The state is for a file that is to be read.
    if (known && ('kind' in known || !this.#usages)) return known;
    this.#states.set(path, state);
    const stored = known && this.#usages?.get(path, state);
    // It has just been made: a spread would make a class for each.
    return stored && Object.assign(known, stored);
  }

  /** The size of a file that was looked up and is to be read, in bytes; undefined for any other. */
  getSize(path: string): number | undefined {
    const state = this.#states.get(path);
    return state && getStateSize(state);
  }

  /** Stores the summary of a file that was looked up before it was read. */
  set(path: string, value: SessionSummary | NoSession): void {
    const state = this.#states.get(path);
    if (state === undefined) return;
    if ('kind' in value || !value.usage) return this.#sessions.set(path, state, value);
    const { usage, packedUsages, ...summary } = value;
    this.#sessions.set(path, state, summary);
    if (packedUsages) this.#usages?.set(path, state, { usage, packedUsages });
  }

  /** @throws FileError if it cannot be written. */
  async save(): Promise<void> {
    await this.#sessions.save();
    await this.#usages?.save();
  }
}

interface StoredUsage {
  readonly usage: Usage;
  readonly packedUsages: PackedUsages;
}

const usageCodec: RecordCodec<StoredUsage> = {
  toRecord: ({ usage, packedUsages: { models, numbers } }) => [usage, models, Array.from(numbers)],
  fromRecord(record) {
    // This very version wrote it, for this user alone.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const [usage, models, numbers] = record as unknown as UsageRecord;
    return { usage, packedUsages: { models, numbers } };
  },
};

type UsageRecord = readonly [Usage, PackedUsages['models'], PackedUsages['numbers']];
