import { join, resolve } from 'node:path';
import type { StoreEnvironment } from '../dialect.ts';
import { getString } from '../json.ts';

/**
 * Where pi 0.87.1 keeps its sessions: PI_CODING_AGENT_SESSION_DIR; else `sessionDir` of the
 * project's settings, else of the agent directory's; else `sessions` in the agent directory, which
 * is PI_CODING_AGENT_DIR or `~/.pi/agent`.
 */
export async function findDefaultStores(environment: StoreEnvironment): Promise<readonly string[]> {
  const { env, home, cwd, readSettings } = environment;
  const toPath = (path: string): string => resolve(cwd, expandTilde(path, home));
  const fromEnv = env['PI_CODING_AGENT_SESSION_DIR'];
  if (fromEnv) return [toPath(fromEnv)];

  const agentDir = toPath(env['PI_CODING_AGENT_DIR'] || join('~', '.pi', 'agent'));
  for (const dir of [join(cwd, '.pi'), agentDir]) {
    const settings = await readSettings(join(dir, 'settings.json'));
    const sessionDir = settings && getString(settings, 'sessionDir');
    if (sessionDir) return [toPath(sessionDir)];
  }
  return [join(agentDir, 'sessions')];
}

function expandTilde(path: string, home: string): string {
  if (path === '~') return home;
  return path.startsWith('~/') || path.startsWith('~\\') ? join(home, path.slice(2)) : path;
}
