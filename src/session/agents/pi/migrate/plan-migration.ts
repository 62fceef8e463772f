import { formatCounted } from '../../../model/text/numbers.ts';
import type { MigrationFacts, MigrationPlan, OldEntries } from '../../../dialect/migration.ts';
import { AGENT_CORE_VERSION, CURRENT_VERSION } from '../format.ts';

/**
 * Returns whether a pi session is to be migrated, and why. Sessions that pi 1.6.0 does not open, and versions
 * that we do not know, are left unchanged.
 */
export function planMigration(facts: MigrationFacts): MigrationPlan {
  const { framing, version, header } = facts;
  if (version === AGENT_CORE_VERSION) {
    return skip('is of version 4, the storage of pi-agent-core: never changed');
  }
  if (version > CURRENT_VERSION) {
    return skip(`is of version ${version}, newer than this coppice knows: never changed`);
  }
  const obstacle = findObstacle(facts);
  if (obstacle !== undefined || !header) return skip(obstacle ?? '');
  if (framing === 'array') return migrate(`JSON array to version ${CURRENT_VERSION}`);
  if (version < CURRENT_VERSION) return migrate(`version ${version} to ${CURRENT_VERSION}`);
  const old = describeOldEntries(facts.oldEntries);
  if (old !== undefined) return migrate(`${old} under a header of version ${version}`);
  return { action: 'unchanged', reasons: [`is of version ${version}`] };
}

function findObstacle({ header, startsWithHeader }: MigrationFacts): string | undefined {
  if (!header) return 'has no header: pi does not open it';
  if (header.id === '') return 'its header has no id: pi does not open it';
  if (!startsWithHeader) return 'its header is not the first record: pi does not open it';
  return undefined;
}

function describeOldEntries({ withoutId, withOldRole }: OldEntries): string | undefined {
  const parts: string[] = [];
  if (withoutId > 0) parts.push(`${formatCounted(withoutId, 'entry', 'entries')} without id`);
  if (withOldRole > 0) {
    parts.push(`${formatCounted(withOldRole, 'message')} of the role hookMessage`);
  }
  return parts.length > 0 ? parts.join(' and ') : undefined;
}

function migrate(reason: string): MigrationPlan {
  return { action: 'migrate', reasons: [reason] };
}

function skip(reason: string): MigrationPlan {
  return { action: 'skip', reasons: [reason] };
}
