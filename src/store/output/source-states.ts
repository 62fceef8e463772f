import { dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import { dialects } from '../../session/agents/index.ts';
import { listNames } from '../../session/jsonl/files/list-directory.ts';
import { getFolderPath } from '../../session/model/sidecar.ts';
import { listAll } from '../files/list-all.ts';
import { statFile } from '../files/stat-file.ts';
import { readFileState } from './export-folder.ts';

/**
 * The states of what an export reads of sessions: of their files, of what is in their folders, and of the logs of
 * sub-agents beside them. Each directory is read once, however many sessions are in it.
 */
export class SourceStates {
  readonly #logs = new Map<string, Promise<string>>();

  /** @throws FileError if the session file cannot be looked at. */
  async read(path: string): Promise<string> {
    return JSON.stringify([await readFileState(path), await this.readBeside(path)]);
  }

  /** The state of what is beside a session file. */
  async readBeside(path: string): Promise<string> {
    const home = dirname(path);
    const logs = this.#logs.get(home) ?? readLogs(home);
    this.#logs.set(home, logs);
    return JSON.stringify([await readFolder(path), await logs]);
  }
}

async function readFolder(path: string): Promise<readonly string[]> {
  const folder = getFolderPath(path);
  if (folder === undefined || statFile(folder)?.isDirectory() !== true) return [];
  return readAll(listAll(folder).files);
}

async function readLogs(home: string): Promise<string> {
  const names = listNames(home).filter(isLog);
  return JSON.stringify(await readAll(names.map((name) => join(home, name))));
}

/** Returns whether a file of that name may be the log of a sub-agent, of whichever agent. */
function isLog(name: string): boolean {
  return dialects.some(({ places }) => places.subagents?.isFile(name));
}

async function readAll(paths: readonly string[]): Promise<readonly string[]> {
  const states: string[] = [];
  for (const path of paths) states.push(`${path} ${await readStateIfAny(path)}`);
  return states;
}

/** A file that cannot be looked at is not exported either, until it can be. */
async function readStateIfAny(path: string): Promise<string> {
  try {
    return await readFileState(path);
  } catch (error) {
    if (error instanceof FileError) return error.code;
    throw error;
  }
}
