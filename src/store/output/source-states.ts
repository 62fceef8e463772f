import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import { dialects } from '../../session/agents/index.ts';
import { toStamp } from '../../session/jsonl/files/identity/file-stamp.ts';
import { listNames } from '../../session/jsonl/files/list-directory.ts';
import { getFolderPath } from '../../session/model/sidecar.ts';
import { listAll } from '../files/list-all.ts';
import { statFile } from '../files/stat-file.ts';
import { attempt } from '../files/attempt.ts';
import { describeStamp } from './output-directory.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';

/**
 * The states of what an export reads of sessions: of their files, of what is in their folders, and of the logs of
 * sub-agents beside them. Each directory is read once, however many sessions are in it.
 */
export class SourceStates {
  readonly #logs = new Map<string, Promise<string>>();
  /** The paths of session files by their hashes, of the places that were listed. */
  readonly #others = new Map<string, string>();
  readonly #listed = new Set<string>();

  /** @throws FileError if the session file cannot be looked at. */
  async read(path: string): Promise<string> {
    return JSON.stringify([await readSourceState(path), await this.readBeside(path)]);
  }

  /** The state of what is beside a session file. */
  async readBeside(path: string): Promise<string> {
    const home = dirname(path);
    const logs = this.#logs.get(home) ?? readLogs(home);
    this.#logs.set(home, logs);
    return JSON.stringify([await readFolder(path), await logs]);
  }

  /** Returns whether other sources, as `toOtherState` wrote them, are as they were when the export of a session read them. */
  async areAsBefore(path: string, others: readonly string[]): Promise<boolean> {
    for (const other of others) {
      const [hash = ''] = other.split(' ');
      const file = this.#findOther(path, hash);
      if (file === undefined) return false;
      if (toOtherState(file, await readStateIfAny(file)) !== other) return false;
    }
    return true;
  }

  #findOther(path: string, hash: string): string | undefined {
    for (const place of dialects.flatMap(({ places }) => places.spawned?.listPlaces(path) ?? [])) {
      if (this.#listed.has(place)) continue;
      this.#listed.add(place);
      for (const file of listAll(place).files) this.#others.set(toHash(file), file);
    }
    return this.#others.get(hash);
  }
}

/** Returns a text that differs between two states of a file, without reading it. */
export async function readSourceState(path: string): Promise<string> {
  const stamp = toStamp(await attempt(path, () => stat(path, { bigint: true }), 'read'));
  return `${stamp.size} ${describeStamp(stamp)}`;
}

/** Describes another source and its state for a record, without its path. */
export function toOtherState(path: string, state: string): string {
  return `${toHash(path)} ${toHash(state)}`;
}

function toHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
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
  const state = await orFileError(() => readSourceState(path));
  return state instanceof FileError ? state.code : state;
}
