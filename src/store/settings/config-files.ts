import { dirname, join } from 'node:path';
import type { JsonObject } from '../../session/jsonl/edit/json.ts';
import { readNamedSettings, readSettings } from './settings.ts';

const PROJECT_FILE = 'coppice.config.json';

export interface ConfigFile {
  readonly path: string;
  readonly content: JsonObject;
}

/** A configuration by its path. @throws UsageError if it cannot be read or is not a JSON object. */
export async function readConfig(path: string): Promise<ConfigFile | undefined> {
  const content = await readSettings(path);
  return content && { path, content };
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
