import { describe, expect, it } from 'vitest';
import type { Header } from '../../../../../src/session/model/entry.ts';
import {
  type MigrationFacts,
  NO_OLD_ENTRIES,
} from '../../../../../src/session/dialect/migration.ts';
import { planMigration } from '../../../../../src/session/agents/pi/migrate/plan-migration.ts';

const header: Header = {
  id: 'a',
  timestamp: undefined,
  cwd: '/',
  parentSession: undefined,
  branchedFrom: undefined,
  line: 1,
  offset: 0,
  length: 1,
};
const current: MigrationFacts = {
  framing: 'lines',
  version: 3,
  header,
  startsWithHeader: true,
  oldEntries: NO_OLD_ENTRIES,
};
const old = { withoutId: 1, withOldRole: 0 };
const roles = { withoutId: 2, withOldRole: 3 };

describe('planMigration', () => {
  it.each<[string, Partial<MigrationFacts>, string, string]>([
    ['v1', { version: 1 }, 'migrate', 'version 1 to 3'],
    ['v2', { version: 2 }, 'migrate', 'version 2 to 3'],
    ['a version before v1', { version: 0 }, 'migrate', 'version 0 to 3'],
    ['an array', { version: 0, framing: 'array' }, 'migrate', 'JSON array to version 3'],
    ['v3', {}, 'unchanged', 'is of version 3'],
    [
      'v3 over an entry of v1',
      { oldEntries: old },
      'migrate',
      '1 entry without id under a header of version 3',
    ],
    [
      'v3 over entries of v1 and v2',
      { oldEntries: roles },
      'migrate',
      '2 entries without id and 3 messages of the role hookMessage under a header of version 3',
    ],
    [
      'the storage of pi-agent-core',
      { version: 4 },
      'skip',
      'is of version 4, the storage of pi-agent-core: never changed',
    ],
    [
      'a newer version',
      { version: 5 },
      'skip',
      'is of version 5, newer than this coppice knows: never changed',
    ],
    ['no header', { version: 1, header: undefined }, 'skip', 'has no header: pi does not open it'],
    [
      'a header without id',
      { version: 1, header: { ...header, id: '' } },
      'skip',
      'its header has no id: pi does not open it',
    ],
    [
      'a header that comes late',
      { version: 1, startsWithHeader: false },
      'skip',
      'its header is not the first record: pi does not open it',
    ],
  ])('%s', (_name, facts, action, reason) => {
    expect(planMigration({ ...current, ...facts })).toEqual({ action, reasons: [reason] });
  });
});
