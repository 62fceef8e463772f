import { join } from 'node:path';
import {
  type CompactionSettings,
  DEFAULT_KEEP_RECENT_TOKENS,
} from '../../../dialect/compaction.ts';
import { isSwitchedOn } from '../../../dialect/surroundings/project-switch.ts';
import type { StoreWorld } from '../../../dialect/surroundings/world.ts';
import type { ModelRef } from '../../../model/entry.ts';
import { listConfigDirectories } from '../places/default-stores.ts';

/**
 * The tokens that the client leaves free of a window, for an answer and for the summary (`/context` shows
 * it).
 */
export const RESERVE_TOKENS = 33_000;
const LARGE_WINDOW = 1_000_000;

/**
 * The person's settings, with the project's on top: that may be a stranger's, and says no more than
 * that nothing is to be compacted.
 */
export async function readSettings(world: StoreWorld, cwd: string): Promise<CompactionSettings> {
  const [config = ''] = listConfigDirectories(world);
  const own = [join(world.home, '.claude.json'), join(config, '.claude.json')];
  const enabled = await isSwitchedOn(world, {
    name: 'autoCompactEnabled',
    own: [...own, join(config, 'settings.json')],
    cwd,
    project: ['.claude/settings.json', '.claude/settings.local.json'],
  });
  return { enabled, reserveTokens: RESERVE_TOKENS, keepRecentTokens: DEFAULT_KEEP_RECENT_TOKENS };
}

/** A model's name says that it takes more. */
export function readContextWindow(
  _world: StoreWorld,
  { modelId }: ModelRef,
): Promise<number | undefined> {
  return Promise.resolve(modelId?.endsWith('[1m]') ? LARGE_WINDOW : undefined);
}
