import type {
  LineProblem,
  MigrationDialect,
  MigrationFacts,
  MigrationPlan,
  Migrator,
  MigratorOptions,
} from '../../../dialect/migration.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { type JsonObject, parseJsonObject } from '../../../jsonl/edit/json.ts';
import {
  getBomLength,
  hasBom,
  type LineContent,
  parseLine,
} from '../../../jsonl/read/parse-line.ts';
import { ProblemList } from '../../../migrate/problem-list.ts';
import { getDamage } from '../../../rules/line-damage.ts';
import { BARE_VERSION, isBareHeader, isCodexLine, isEnveloped, LEGACY_VERSION } from '../format.ts';
import { type Envelope, toEnvelope } from './to-envelope.ts';
import { readCwd } from '../entry/typed.ts';

/** The capability to upgrade threads before 0.40, so that newer releases list and open them. */
export const migration: MigrationDialect = {
  toVersion: LEGACY_VERSION,
  // The working directory of an old one stands in its first message.
  isHeader: (value) =>
    isEnveloped(value) || readCwd(value) !== undefined || value['role'] === 'assistant',
  plan,
  createMigrator: (options) => new EnvelopeMigrator(options),
};

function plan({ version, header, assumedCwd }: MigrationFacts): MigrationPlan {
  if (version > BARE_VERSION) {
    return { action: 'unchanged', reasons: [`is of version ${version}, which Codex opens`] };
  }
  if (!header) return { action: 'skip', reasons: ['has no header: no release opens it'] };
  if (header.cwd === '' && assumedCwd === undefined) {
    const reason = 'names no working directory, which Codex needs; pass --assume-cwd <dir>';
    return { action: 'fail', reasons: [reason] };
  }
  const reasons = [`version ${BARE_VERSION} to ${LEGACY_VERSION}`];
  return { action: 'migrate', reasons };
}

class EnvelopeMigrator implements Migrator {
  readonly lastActivity = 0;
  readonly #envelope: Envelope;
  readonly #problems = new ProblemList();

  constructor({ header, assumedCwd = '' }: MigratorOptions) {
    const cwd = header?.cwd === '' ? assumedCwd : (header?.cwd ?? assumedCwd);
    this.#envelope = { timestamp: header?.timestamp ?? '', cwd };
  }

  get problems(): readonly LineProblem[] {
    return this.#problems.list;
  }

  readonly transform = (line: Line): readonly (Buffer | string)[] | undefined => {
    const content = parseLine(line);
    if (content.kind !== 'object') return this.#takeApart(line, content);
    // A byte order mark is before the line, not before the item in its envelope.
    const start = hasBom(line) ? getBomLength(line.bytes) : 0;
    const changed = this.#toEnvelope(line.bytes.subarray(start), content.value);
    if (changed === 'kept') return undefined;
    return changed ? [line.bytes.subarray(0, start), changed, line.terminated ? '\n' : ''] : [];
  };

  /**
   * Makes lines of the records on one line, as 0.8 wrote them: in a file with envelopes, Codex skips a record without one.
   * Any other line that does not parse is kept, and reported.
   */
  #takeApart(line: Line, content: LineContent): readonly (Buffer | string)[] | undefined {
    const damage = getDamage(line, content);
    const records =
      damage?.fragments.map(({ start, end }) => line.bytes.subarray(start, end)) ?? [];
    const values = records.map((bytes) => parseJsonObject(bytes.toString('utf8')));
    const isWhole = values.every((value) => value && isOld(value));
    if (damage?.kind !== 'glued' || !isWhole) {
      this.#problems.addDamage(line, content);
      return undefined;
    }
    return records.flatMap((bytes, at) => {
      const changed = this.#toEnvelope(bytes, values[at] ?? {});
      return changed && changed !== 'kept' ? [changed, '\n'] : [];
    });
  }

  #toEnvelope(bytes: Buffer, value: JsonObject): Buffer | 'kept' | undefined {
    return isOld(value) ? toEnvelope(bytes, value, this.#envelope) : 'kept';
  }
}

/** Returns whether an object is a line without an envelope. */
function isOld(value: JsonObject): boolean {
  return isCodexLine(value) && (!isEnveloped(value) || isBareHeader(value));
}
