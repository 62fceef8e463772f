import { isAbsolute, join } from 'node:path';
import { UsageError } from '../../../../errors.ts';
import {
  type CompactionSettings,
  DEFAULT_KEEP_RECENT_TOKENS,
  DEFAULT_RESERVE_TOKENS,
} from '../../../dialect/compaction.ts';
import type { ModelRef } from '../../../model/entry.ts';
import { getObject, type JsonObject, type JsonValue } from '../../../jsonl/edit/json.ts';
import { getAgentDir, PROJECT_DIR, SETTINGS_FILE } from '../places/agent-dir.ts';
import type { StoreWorld } from '../../../dialect/surroundings/world.ts';

const DEFAULTS = {
  reserveTokens: DEFAULT_RESERVE_TOKENS,
  keepRecentTokens: DEFAULT_KEEP_RECENT_TOKENS,
} as const;

/**
 * The compaction settings that pi 0.87.1 would use for a session of this directory: the agent
 * directory's, with the project's on top, and on top of both the override for the model. Whether a
 * session is due, the project decides only so far that it can turn compaction off: its settings may
 * come from a stranger.
 * @throws UsageError when a number makes no sense, as pi does.
 */
export async function readCompactionSettings(
  world: StoreWorld,
  cwd: string,
  model: ModelRef | null,
): Promise<CompactionSettings> {
  const own = await readLayer(world, getAgentDir(world));
  // A relative path would be resolved from the directory that coppice runs in.
  const project = isAbsolute(cwd) ? await readLayer(world, join(cwd, PROJECT_DIR)) : {};
  const settings = mergeLayers([own, project], model);
  const { enabled, reserveTokens } = mergeLayers([own], model);
  return { ...settings, due: { enabled: enabled && settings.enabled, reserveTokens } };
}

async function readLayer(world: StoreWorld, directory: string): Promise<JsonObject> {
  const settings = await world.readSettings(join(directory, SETTINGS_FILE));
  return (settings && getObject(settings, 'compaction')) ?? {};
}

/** Objects are merged and anything else replaces: the latest layer that names a field decides. */
function mergeLayers(
  layers: readonly JsonObject[],
  model: ModelRef | null,
): Omit<CompactionSettings, 'due'> {
  const name = model && `${model.provider}/${model.modelId}`;
  const byPriority = [
    ...(name === null ? [] : layers.map((layer) => getOverride(layer, name)).toReversed()),
    ...layers.toReversed(),
  ];
  return {
    enabled: layers.findLast(({ enabled }) => enabled !== undefined)?.['enabled'] !== false,
    reserveTokens: getTokens(byPriority, 'reserveTokens'),
    keepRecentTokens: getTokens(byPriority, 'keepRecentTokens'),
  };
}

function getOverride(layer: JsonObject, name: string): JsonObject {
  const overrides = getObject(layer, 'modelOverrides');
  // A model may be called like something that every object has.
  return (overrides && Object.hasOwn(overrides, name) && getObject(overrides, name)) || {};
}

function getTokens(layers: readonly JsonObject[], field: keyof typeof DEFAULTS): number {
  const found: JsonValue | undefined = layers.find((layer) => layer[field] !== undefined)?.[field];
  if (found === undefined) return DEFAULTS[field];
  if (typeof found === 'number' && Number.isSafeInteger(found) && found >= 0) return found;
  throw new UsageError(`compaction.${field} in the settings: needs a whole number of tokens`);
}
