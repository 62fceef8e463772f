import { isDeepStrictEqual } from 'node:util';
import type { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type {
  CompleteByRecords,
  DatabaseTables,
  SessionRecords,
} from '../../session/dialect/surroundings/records.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import { listFilesBeside, readRecordsBeside } from '../database/read-records.ts';
import { readStateText } from '../files/stat-file.ts';

/** The records of a home but for the rows in it, as they were at a time. */
interface KnownRecords {
  readonly states: readonly string[];
  readonly complete: CompleteByRecords;
  readonly problems: readonly FileError[];
}

/**
 * Finds sessions that got a name since they were read, where their agent keeps names outside of their files. What
 * it keeps is read again only once it has changed.
 */
export class LateNames {
  readonly #known = new Map<string, KnownRecords>();

  /**
   * `rows`: those of the session, which no one can write to now.
   * @throws FileError where it cannot be known any more.
   */
  async isNamedSince(
    { agent, path, recorded = [] }: Pick<Candidate, 'agent' | 'path' | 'recorded'>,
    rows: DatabaseTables,
  ): Promise<boolean> {
    const records = agent === null ? undefined : getDialect(agent).places.records;
    const home = records?.findHome(path);
    if (!records || home === undefined || recorded.length === 0) return false;
    const { complete, problems } = await this.#read(home, records);
    const isAsBefore = recorded.every((one) =>
      isDeepStrictEqual(toNaming(complete(one, rows)), toNaming(one)),
    );
    const [problem] = problems;
    if (!isAsBefore && problem) throw problem;
    return !isAsBefore;
  }

  async #read(home: string, records: SessionRecords): Promise<KnownRecords> {
    const paths = await listFilesBeside(home, records);
    const states = paths.map(readStateText);
    const known = this.#known.get(home);
    if (known && isDeepStrictEqual(known.states, states)) return known;
    const problems: FileError[] = [];
    const found = await readRecordsBeside(home, records, (one) => problems.push(one));
    const read = { states, complete: records.createCompleter(found), problems };
    this.#known.set(home, read);
    return read;
  }
}

/** The facts that a client changes when it names a session. */
function toNaming({ name, namedAt, unread }: SessionSummary): readonly unknown[] {
  return [name, namedAt, unread.title === true, unread.otherName === true];
}
