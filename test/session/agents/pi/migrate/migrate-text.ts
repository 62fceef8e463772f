import { LineSplitter } from '../../../../../src/session/jsonl/read/line-splitter.ts';
import { joinParts } from '../../../../../src/session/jsonl/write/line-transform.ts';
import { splitArray } from '../../../../../src/session/jsonl/edit/split-array.ts';
import type {
  LineProblem,
  MigratorOptions,
  OldEntries,
} from '../../../../../src/session/dialect/migration.ts';
import { LineMigrator } from '../../../../../src/session/agents/pi/migrate/line-migrator.ts';
import { PiOldEntryFinder } from '../../../../../src/session/agents/pi/migrate/old-entry-finder.ts';
import type { Framing } from '../../../../../src/session/dialect/fold.ts';

export interface MigratedText {
  readonly bytes: Buffer;
  readonly text: string;
  readonly problems: readonly LineProblem[];
}

/** Migrates the text of a file as a run would, without a file. */
export function migrateText(
  input: string | Buffer,
  options: Partial<MigratorOptions> = {},
  framing: Framing = 'lines',
): MigratedText {
  const bytes = Buffer.from(input);
  const { takenIds } = findOldEntries(bytes);
  const migrator = new LineMigrator({
    framing,
    changes: {},
    takenIds,
    startTime: 0,
    upgrades: true,
    ...options,
  });
  const parts: Buffer[] = [];
  const put = (line: Parameters<typeof migrator.transform>[0]): void => {
    const kept = line.terminated ? [line.bytes, Buffer.from('\n')] : [line.bytes];
    parts.push(joinParts(migrator.transform(line) ?? kept));
  };
  if (framing === 'array') {
    for (const { offset, length } of splitArray(bytes)) {
      const number = bytes.toString('latin1', 0, offset).split('\n').length;
      const element = bytes.subarray(offset, offset + length);
      put({ number, offset, length, bytes: element, terminated: true, oversized: false });
    }
  } else {
    const splitter = new LineSplitter(put);
    splitter.push(bytes);
    splitter.end();
  }
  const result = Buffer.concat(parts);
  return { bytes: result, text: result.toString('utf8'), problems: migrator.problems };
}

export function findOldEntries(bytes: Buffer): { found: OldEntries; takenIds: Set<string> } {
  const finder = new PiOldEntryFinder();
  const splitter = new LineSplitter(finder.visit);
  splitter.push(bytes);
  splitter.end();
  return finder;
}

export function parseLines(text: string): Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
}
