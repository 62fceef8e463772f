import type {
  MigrationDialect,
  MigrationFacts,
  MigrationPlan,
  Migrator,
  MigratorOptions,
} from '../../../dialect/migration.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { getBomLength, hasBom, parseLine } from '../../../jsonl/read/parse-line.ts';
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

function plan({ framing, version, header, assumedCwd }: MigrationFacts): MigrationPlan {
  if (version > BARE_VERSION) {
    return { action: 'unchanged', reasons: [`is of version ${version}, which Codex opens`] };
  }
  if (framing === 'array') return { action: 'skip', reasons: ['is one JSON array'] };
  if (!header) return { action: 'skip', reasons: ['has no header: no release opens it'] };
  if (header.cwd === '' && assumedCwd === undefined) {
    const reason = 'names no working directory, which Codex needs; pass --assume-cwd <dir>';
    return { action: 'fail', reasons: [reason] };
  }
  const reasons = [`version ${BARE_VERSION} to ${LEGACY_VERSION}`];
  return { action: 'migrate', reasons };
}

class EnvelopeMigrator implements Migrator {
  readonly problems = [];
  readonly lastActivity = 0;
  readonly #envelope: Envelope;

  constructor({ header, assumedCwd = '' }: MigratorOptions) {
    const cwd = header?.cwd === '' ? assumedCwd : (header?.cwd ?? assumedCwd);
    this.#envelope = { timestamp: header?.timestamp ?? '', cwd };
  }

  readonly transform = (line: Line): readonly (Buffer | string)[] | undefined => {
    const content = parseLine(line);
    const isOld = content.kind === 'object' && isCodexLine(content.value);
    if (!isOld || (isEnveloped(content.value) && !isBareHeader(content.value))) return undefined;
    // A byte order mark is before the line, not before the item in its envelope.
    const start = hasBom(line) ? getBomLength(line.bytes) : 0;
    const changed = toEnvelope(line.bytes.subarray(start), content.value, this.#envelope);
    return changed ? [line.bytes.subarray(0, start), changed, line.terminated ? '\n' : ''] : [];
  };
}
