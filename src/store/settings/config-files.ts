import { dirname, join } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { JsonObject } from '../../session/jsonl/edit/json.ts';
import { findDeadLink } from '../files/stat-file.ts';
import { readNamedSettings, readOwnSettings } from './settings.ts';

const PROJECT_FILE = 'coppice.config.json';

export interface ConfigFile {
  readonly path: string;
  readonly content: JsonObject;
}

/**
 * A configuration by its path; undefined where there is none.
 * @throws UsageError if it cannot be read or is not a JSON object, or a link to it leads nowhere.
 */
export async function readConfig(path: string): Promise<ConfigFile | undefined> {
  const content = await readOwnSettings(path);
  if (!content) requireNoLink(path);
  return content && { path, content };
}

/**
 * Makes sure that nothing is there. A link, of the file or of a directory above it, may lead to a disk that is not
 * mounted: a run that went on would not know which sessions to keep.
 */
function requireNoLink(path: string): void {
  const at = findDeadLink(path);
  if (at === undefined) return;
  const where = at === path ? path : `${path}: ${at}`;
  throw new UsageError(`${where}: is a link that leads nowhere, and may hold your configuration`);
}

/** Reads the configuration file that the command line names. @throws UsageError */
export async function readNamedConfig(path: string): Promise<ConfigFile | undefined> {
  const content = await readNamedSettings(path);
  return content && { path, content };
}

/** The nearest `coppice.config.json`, in the directory or above it. @throws UsageError */
export async function findProjectConfig(directory: string): Promise<ConfigFile | undefined> {
  let at = directory;
  for (;;) {
    const found = await readConfig(join(at, PROJECT_FILE));
    const above = dirname(at);
    if (found || above === at) return found;
    at = above;
  }
}
