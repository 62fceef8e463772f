import { join } from 'node:path';
import type { ProjectStore } from '../../../dialect/dialect.ts';
import { getString } from '../../../jsonl/edit/json.ts';
import { getAgentDir, PROJECT_DIR, SETTINGS_FILE, toAbsolute } from './agent-dir.ts';
import type { StoreWorld } from '../../../dialect/surroundings/world.ts';

/**
 * Lists the stores in which pi 0.87.1 keeps the sessions of its user: PI_CODING_AGENT_SESSION_DIR; else
 * `sessionDir` of the settings in the agent directory, which is PI_CODING_AGENT_DIR or `~/.pi/agent`; else
 * `sessions` there.
 */
export async function findDefaultStores(world: StoreWorld): Promise<readonly string[]> {
  const fromEnv = getStoreFromEnv(world);
  if (fromEnv !== undefined) return [fromEnv];
  const agentDir = getAgentDir(world);
  const chosen = await readSessionDir(join(agentDir, SETTINGS_FILE), world);
  return [chosen ?? join(agentDir, 'sessions')];
}

/** `sessionDir` of the project's settings, which counts for more with pi, but less than the variable. */
export async function findProjectStore(world: StoreWorld): Promise<ProjectStore | undefined> {
  if (getStoreFromEnv(world) !== undefined) return undefined;
  const settings = join(world.cwd, PROJECT_DIR, SETTINGS_FILE);
  const path = await readSessionDir(settings, world);
  return path === undefined ? undefined : { path, settings };
}

function getStoreFromEnv(world: StoreWorld): string | undefined {
  const fromEnv = world.env['PI_CODING_AGENT_SESSION_DIR'];
  return fromEnv ? toAbsolute(fromEnv, world) : undefined;
}

async function readSessionDir(path: string, world: StoreWorld): Promise<string | undefined> {
  const settings = await world.readSettings(path);
  const sessionDir = settings && getString(settings, 'sessionDir');
  return sessionDir ? toAbsolute(sessionDir, world) : undefined;
}
