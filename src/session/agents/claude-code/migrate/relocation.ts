import { join } from 'node:path';
import type {
  LineProblem,
  Migrator,
  ProjectList,
  RelocationDialect,
} from '../../../dialect/migration.ts';
import { getObject, getString, isObject, type JsonObject } from '../../../jsonl/edit/json.ts';
import {
  findValue,
  type MemberEdit,
  renameMember,
  spliceObject,
} from '../../../jsonl/edit/splice.ts';
import { listReadable } from '../../../jsonl/files/list-directory.ts';
import { createObjectMigrator } from '../../../migrate/object-migrator.ts';
import { movePath, type PathMove } from '../../../model/paths.ts';
import { listResultTexts } from '../format.ts';
import { toFolderName } from '../places/default-stores.ts';
import { findConfig, PROMPTS } from '../places/config.ts';
import { JOB } from '../places/pins.ts';

/** The capability to move sessions of Claude Code with their project. */
export const relocation: RelocationDialect = {
  toProjectDirectoryName: toFolderName,
  projectFolders: ['memory'],
  listProjectLists,
  createMigrator,
};

/**
 * The prompts of all sessions, what the user has agreed to in each project, and the notes on background sessions:
 * clients write to all of these.
 */
function listProjectLists(
  path: string,
  { home }: { readonly home: string },
): readonly ProjectList[] {
  const config = findConfig(path);
  if (config === undefined) return [];
  const settings = config === join(home, '.claude') ? home : config;
  const jobs = listReadable(join(config, 'jobs')).filter((name) => JOB.test(name));
  const notes = jobs.map((job) => `jobs/${job}/state.json`);
  return [
    ...[PROMPTS, ...notes].map((name) => ({ path: join(config, name), name })),
    { path: join(settings, '.claude.json'), name: '.claude.json' },
  ];
}

/** The places of paths in lines that the client uses: the object, and its keys. */
const PLACES: readonly (readonly [readonly string[], readonly string[]])[] = [
  [[], ['cwd', 'relocatedCwd', 'trackingPath', 'worktreePath']],
  [['worktreeSession'], ['originalCwd', 'preEnterOriginalCwd', 'worktreePath', 'extensionRoot']],
  [['backup'], ['realParentDir']],
  [['attachment'], ['filename', 'planFilePath']],
  [['toolUseResult'], ['persistedOutputPath']],
];
const BACKUPS = ['snapshot', 'trackedFileBackups'] as const;

/**
 * Changes the paths that the client goes by, and nothing that was said: texts, thoughts and calls are
 * what the model has signed.
 */
function createMigrator(moves: readonly PathMove[]): Migrator {
  const problems: LineProblem[] = [];
  return createObjectMigrator(({ number, bytes }, value) => {
    // The text that the model was sent remains, but the file is elsewhere.
    if (namesLongOutput(value, moves) || namesFile(value, moves)) {
      const message =
        'names a file at its old path; coppice does not change what the model was sent';
      problems.push({ line: number, code: 'path-in-text', message });
    }
    return changePaths(bytes, value, moves);
  }, problems);
}

function changePaths(
  bytes: Buffer,
  value: JsonObject,
  moves: readonly PathMove[],
): Buffer | undefined {
  let changed: Buffer | undefined;
  for (const [at, keys] of PLACES) {
    const edits = listEdits(getAt(value, at), keys, moves);
    if (edits.length > 0) changed = spliceObject(changed ?? bytes, edits, { at }) ?? changed;
  }
  const backups = getAt(value, BACKUPS);
  return (backups && moveBackups(changed ?? bytes, backups, moves)) ?? changed;
}

function listEdits(
  object: JsonObject | undefined,
  keys: readonly string[],
  moves: readonly PathMove[],
): readonly MemberEdit[] {
  return keys.flatMap((key) => {
    const path = object && getString(object, key);
    const moved = path === undefined ? undefined : movePath(path, moves);
    return moved === undefined ? [] : [{ key, value: JSON.stringify(moved) }];
  });
}

/**
 * Moves the states of files by their paths, which are relative to the working directory or absolute. One
 * keeps its path if the line has a state of the new one, too: there is room for both then.
 */
function moveBackups(
  bytes: Buffer,
  backups: JsonObject,
  moves: readonly PathMove[],
): Buffer | undefined {
  let changed: Buffer | undefined;
  for (const [path, backup] of Object.entries(backups)) {
    const at = [...BACKUPS, path];
    const edits = isObject(backup) ? listEdits(backup, ['realParentDir'], moves) : [];
    if (edits.length > 0) changed = spliceObject(changed ?? bytes, edits, { at }) ?? changed;
    const moved = movePath(path, moves);
    const states =
      moved === undefined || moved in backups ? undefined : findValue(changed ?? bytes, BACKUPS);
    if (moved === undefined || !states) continue;
    const [parent, key] = BACKUPS;
    const value = renameMember(states, path, moved).toString('utf8');
    changed = spliceObject(changed ?? bytes, [{ key, value }], { at: [parent] }) ?? changed;
  }
  return changed;
}

/** Returns whether the model was sent the path of a long output, which has moved. */
function namesLongOutput(value: JsonObject, moves: readonly PathMove[]): boolean {
  const result = getObject(value, 'toolUseResult');
  const path = result && getString(result, 'persistedOutputPath');
  if (path === undefined || movePath(path, moves) === undefined) return false;
  // The line may spell the path otherwise, as with \u00e9 for é.
  const mark = JSON.stringify(path).slice(1, -1);
  return JSON.stringify(value['message'] ?? null).includes(mark);
}

/** Returns whether a result of a tool names a file in the folder of a session that moves. */
function namesFile(value: JsonObject, moves: readonly PathMove[]): boolean {
  return listResultTexts(value).some((text) =>
    moves.some(({ from, only }) => only && namesOneOf(text, from, only)),
  );
}

/** Returns whether a text names something in one of some folders of a directory. */
function namesOneOf(text: string, directory: string, folders: ReadonlySet<string>): boolean {
  const [, ...behind] = text.split(directory);
  return behind.some((rest) => {
    const [before, name = '', below] = rest.split(/[/\\]/, 3);
    return before === '' && below !== undefined && folders.has(name);
  });
}

function getAt(value: JsonObject, keys: readonly string[]): JsonObject | undefined {
  let at: JsonObject | undefined = value;
  for (const key of keys) at = at && getObject(at, key);
  return at;
}
