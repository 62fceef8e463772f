import { join } from 'node:path';
import type { StoreEnvironment } from '../dialect.ts';
import { getString } from '../json.ts';
import { getAgentDir, PROJECT_DIR, SETTINGS_FILE, toAbsolute } from './agent-dir.ts';

/**
 * Where pi 0.87.1 keeps its sessions: PI_CODING_AGENT_SESSION_DIR; else `sessionDir` of the
 * project's settings, else of the agent directory's; else `sessions` in the agent directory, which
 * is PI_CODING_AGENT_DIR or `~/.pi/agent`.
 */
export async function findDefaultStores(environment: StoreEnvironment): Promise<readonly string[]> {
  const { env, cwd, readSettings } = environment;
  const fromEnv = env['PI_CODING_AGENT_SESSION_DIR'];
  if (fromEnv) return [toAbsolute(fromEnv, environment)];

  const agentDir = getAgentDir(environment);
  for (const dir of [join(cwd, PROJECT_DIR), agentDir]) {
    const settings = await readSettings(join(dir, SETTINGS_FILE));
    const sessionDir = settings && getString(settings, 'sessionDir');
    if (sessionDir) return [toAbsolute(sessionDir, environment)];
  }
  return [join(agentDir, 'sessions')];
}
