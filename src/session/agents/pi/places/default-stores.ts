import { join } from 'node:path';
import type { ProjectStore } from '../../../dialect/dialect.ts';
import { getString } from '../../../jsonl/edit/json.ts';
import { getAgentDir, PROJECT_DIR, SETTINGS_FILE, toAbsolute } from './agent-dir.ts';
import type { StoreEnvironment } from '../../../dialect/surroundings/environment.ts';

/**
 * Lists the stores in which pi 0.87.1 keeps the sessions of its user: PI_CODING_AGENT_SESSION_DIR; else
 * `sessionDir` of the settings in the agent directory, which is PI_CODING_AGENT_DIR or `~/.pi/agent`; else
 * `sessions` there.
 */
export async function findDefaultStores(environment: StoreEnvironment): Promise<readonly string[]> {
  const fromEnv = getStoreFromEnv(environment);
  if (fromEnv !== undefined) return [fromEnv];
  const agentDir = getAgentDir(environment);
  const chosen = await readSessionDir(join(agentDir, SETTINGS_FILE), environment);
  return [chosen ?? join(agentDir, 'sessions')];
}

/** `sessionDir` of the project's settings, which counts for more with pi, but less than the variable. */
export async function findProjectStore(
  environment: StoreEnvironment,
): Promise<ProjectStore | undefined> {
  if (getStoreFromEnv(environment) !== undefined) return undefined;
  const settings = join(environment.cwd, PROJECT_DIR, SETTINGS_FILE);
  const path = await readSessionDir(settings, environment);
  return path === undefined ? undefined : { path, settings };
}

function getStoreFromEnv(environment: StoreEnvironment): string | undefined {
  const fromEnv = environment.env['PI_CODING_AGENT_SESSION_DIR'];
  return fromEnv ? toAbsolute(fromEnv, environment) : undefined;
}

async function readSessionDir(
  path: string,
  environment: StoreEnvironment,
): Promise<string | undefined> {
  const settings = await environment.readSettings(path);
  const sessionDir = settings && getString(settings, 'sessionDir');
  return sessionDir ? toAbsolute(sessionDir, environment) : undefined;
}
