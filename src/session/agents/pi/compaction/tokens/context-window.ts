import { join } from 'node:path';
import type { ModelRef } from '../../../../model/entry.ts';
import {
  getNumber,
  getObject,
  getString,
  type JsonObject,
  listObjects,
} from '../../../../jsonl/edit/json.ts';
import { getAgentDir } from '../../places/agent-dir.ts';
import type { StoreWorld } from '../../../../dialect/surroundings/world.ts';

/**
 * Returns how many tokens a model takes, as set for pi in `models.json` (0.87.1: of its provider,
 * `modelOverrides` by id, then `models`). Undefined where the file does not say.
 * @throws UsageError when the file is not JSON.
 */
export async function readContextWindow(
  world: StoreWorld,
  { provider, modelId }: ModelRef,
): Promise<number | undefined> {
  if (provider === undefined || modelId === undefined) return undefined;
  const config = await world.readSettings(join(getAgentDir(world), 'models.json'));
  const providers = config && getObject(config, 'providers');
  const own = providers && getOwn(providers, provider);
  if (!own) return undefined;
  const override = getOwn(getObject(own, 'modelOverrides') ?? {}, modelId);
  const { models } = own;
  const model = listObjects(models).find((one) => getString(one, 'id') === modelId);
  return [override, model].map((from) => from && getNumber(from, 'contextWindow')).find(isWindow);
}

/** A provider may be called like something that every object has. */
function getOwn(from: JsonObject, key: string): JsonObject | undefined {
  return Object.hasOwn(from, key) ? getObject(from, key) : undefined;
}

function isWindow(tokens: number | undefined): boolean {
  return tokens !== undefined && tokens > 0;
}
