import { join } from 'node:path';
import type {
  NewCompaction,
  CompactionDialect,
  CompactionSettings,
} from '../../../dialect/compaction.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { getNeovateHome } from '../places/default-stores.ts';
import { COMPACTION_MARKER, toSessionId } from '../format.ts';
import { prepareCompaction, toSpokenMessages } from './prepare.ts';
import { getThreshold } from './threshold.ts';
import { deriveUuid } from '../../../model/ids/synthetic-ids.ts';
import { isSwitchedOn } from '../../../dialect/surroundings/project-switch.ts';
import type { StoreWorld } from '../../../dialect/surroundings/world.ts';

/** Context compaction as `/compact` of Neovate 0.17.1 does it. */
export const compaction: CompactionDialect = {
  prepare: prepareCompaction,
  toSpokenMessages,
  deriveId: deriveUuid,
  isOutgrown: (tokens, contextWindow) => tokens >= getThreshold(contextWindow),
  countKept: () => Promise.resolve(0),
  storesSummaryOnly: true,
  toEntries: (_, made) => Promise.resolve({ entry: toSummary(made) }),
  readSettings,
  readContextWindow: () => Promise.resolve(undefined),
};

/** A root: what the person says next is attached to it, and the model is shown nothing from before. */
function toSummary({ id, path, time, summary }: NewCompaction): JsonObject {
  return {
    parentUuid: null,
    uuid: id,
    role: 'user',
    content: [{ type: 'text', text: summary }],
    uiContent: COMPACTION_MARKER,
    type: 'message',
    timestamp: new Date(time).toISOString(),
    sessionId: toSessionId(path),
  };
}

async function readSettings(world: StoreWorld, cwd: string): Promise<CompactionSettings> {
  const enabled = await isSwitchedOn(world, {
    name: 'autoCompact',
    own: [join(getNeovateHome(world), 'config.json')],
    cwd,
    project: ['.neovate/config.json'],
  });
  return { enabled, reserveTokens: undefined, keepRecentTokens: 0 };
}
