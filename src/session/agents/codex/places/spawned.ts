import type { SpawnedDialect } from '../../../dialect/surroundings/subagents.ts';
import {
  getObject,
  getString,
  type JsonObject,
  listStrings,
  parseJsonObject,
} from '../../../jsonl/edit/json.ts';
import { openLine, parseName } from '../format.ts';
import { bases } from '../index/bases.ts';
import { findStarter } from '../index/relations.ts';

/** Sub-agents of Codex are threads like others; what began one names its thread. */
export const spawned: SpawnedDialect = {
  listBegun(value) {
    const { kind, payload } = openLine(value);
    switch (kind) {
      case 'item_completed':
        return listOfItem(getObject(payload, 'item') ?? {});
      case 'sub_agent_activity':
        return listOfItem({ ...payload, type: 'SubAgentActivity' });
      case 'function_call_output':
        return listOfOutput(payload['output']);
      default:
        return [];
    }
  },
  listPlaces: (path) => bases.listPlaces(path),
  toId: (name) => parseName(name)?.threadId,
  word: 'parent_thread_id',
  findStart(first) {
    const { payload } = openLine(first);
    const [id, by] = [getString(payload, 'id'), findStarter(payload)];
    return id === undefined || by === undefined ? undefined : { id, by };
  },
};

function listOfItem(item: JsonObject): readonly string[] {
  if (item['type'] === 'SubAgentActivity' && item['kind'] === 'started') {
    return [getString(item, 'agent_thread_id') ?? []].flat();
  }
  const ids = item['receiver_thread_ids'];
  const isSpawn = item['type'] === 'CollabAgentToolCall' && item['tool'] === 'spawn_agent';
  return isSpawn ? listStrings(ids) : [];
}

const SPAWNED = /^\{"agent_id":"/;

/** Older files have no item for it: the output of the call names the thread. */
function listOfOutput(output: unknown): readonly string[] {
  if (typeof output !== 'string' || !SPAWNED.test(output)) return [];
  return [getString(parseJsonObject(output) ?? {}, 'agent_id') ?? []].flat();
}
