import { basename, dirname, join } from 'node:path';
import type { LivenessDialect, OpenNotes } from '../../../dialect/surroundings/liveness.ts';
import { getPromptsPath } from '../../../dialect/surroundings/history.ts';
import {
  isOrphanPlace,
  type OrphanDialect,
  type OrphanPlace,
  type SidecarDialect,
} from '../../../dialect/surroundings/sidecars.ts';
import { listProjectHomes } from '../../../dialect/surroundings/project-homes.ts';
import { getString, toTime } from '../../../jsonl/edit/json.ts';
import { findOwnText, findOwnValue } from '../../../jsonl/edit/members.ts';
import {
  type HeldIn,
  type HomesBeside,
  listUsualSidecars,
  type NotePlace,
  type SharedSidecar,
  type Sidecar,
} from '../../../model/sidecar.ts';
import { POINTER, toSessionId } from '../format.ts';
import { listConfigDirectories } from './default-stores.ts';
import { findConfig, findConfigOfStore, PROJECTS, PROMPTS, SESSION_ID } from './config.ts';
import { listSessionSharers, listSharedStores } from './shared-stores.ts';

/** The client finds a session only by such a name. */
const MADE_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The name that the client gives to the directory of a project: an absolute path, with hyphens. */
const PROJECT_DIRECTORY = /^(?:-|[A-Za-z]-)/;

/** Lists the directory of all projects around a session. People have a `projects` of their own. */
export function listStores(path: string): readonly string[] {
  const config = findConfig(path);
  const isProject = PROJECT_DIRECTORY.test(basename(dirname(path)));
  return config !== undefined && isProject ? [join(config, PROJECTS)] : [];
}

/** Returns whether the client itself would give a session this path: 2.0.56 left empty files at such. */
export function isSessionPath(path: string): boolean {
  return findConfig(path) !== undefined && MADE_ID.test(toSessionId(path));
}

/** Lists the sidecars of a session elsewhere below that directory, as 1.0.59 to 2.1.332 write them. */
function listElsewhere(id: string): readonly SharedSidecar[] {
  // A project that was copied or moved has a session of the same id.
  const isOfOne = (path: string): boolean => {
    const name = basename(path);
    return [MADE_NAME, AGENT, NAMES.note].some((one) => one.test(name)) || NOTES.test(path);
  };
  const byName = { listHeldIds: listSessionIds, listPackedIds };
  const found = { listStores: listStoresOf, ...byName, listIds, isOfOne };
  const sharedBy: HeldIn = { agent: 'claude-code', id, ...found };
  return [
    ...FOLDERS.map(({ directory, ...rest }): SharedSidecar => ({
      name: `${directory}/${id}`,
      kind: 'directory',
      sharedBy,
      ...rest,
    })),
    ...INSIGHTS.map((directory): SharedSidecar => {
      return { name: `${directory}/${id}.json`, kind: 'file', sharedBy };
    }),
    { name: `debug/${id}.txt`, kind: 'file', sharedBy },
    { name: `todos/${id}-agent-`, ending: '.json', kind: 'file', sharedBy },
    { name: 'plans/', ending: '.md', kind: 'file', sharedBy, isClaimed: true },
  ];
}

/**
 * Returns the pattern of sub-agents of 2.0.56, which are beside the sessions of a project and name theirs.
 */
function listFlatAgents(id: string): Sidecar {
  return {
    name: 'agent-',
    ending: '.jsonl',
    kind: 'file',
    belongs: (start) => readOwner(start) === id,
  };
}

/**
 * The endings of notes on a session that are beside it. The first two have been in its folder since; the last one is
 * of the desktop app.
 */
const NOTES_BESIDE = ['ccr-tip.json', 'precompact.json', 'desktop-released.json'];

function toNote(id: string, ending: string): Sidecar {
  return { name: `${id}.${ending}`, kind: 'file' };
}

/** The memory of a project, which the client sends with every session there. */
const AGENT_FOLDERS = ['memory'];
/** After `/clear`, a session that leads others continues with the tasks of the previous one (2.1.332). */
const TASKS: NotePlace = { directory: 'tasks', file: '.session-list' };
const FOLDERS: readonly { readonly directory: string; readonly notedIn?: NotePlace }[] = [
  { directory: 'file-history' },
  { directory: TASKS.directory, notedIn: TASKS },
  { directory: 'session-env' },
  { directory: 'image-cache' },
  { directory: 'uploads' },
];

/** The directories of what `/insights` says about each session. */
const INSIGHTS = ['usage-data/facets', 'usage-data/session-meta'];
const SHARED = ['debug', 'todos', 'plans', 'usage-data', ...INSIGHTS, PROMPTS];

function listStoresOf(config: string, known: HomesBeside): readonly string[] {
  const folders = FOLDERS.map(({ directory }) => directory);
  return listSharedStores(config, [...folders, ...SHARED], known);
}

/** The name of a session file, as the client gives it. */
const MADE_NAME = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.jsonl$/i;
/** The name of a sub-agent, beside its session or in the folder of that. */
const AGENT = /^agent-[\da-f]{7,17}\.jsonl$/;
/**
 * The files in a project in which the client writes about sessions: its memory, with the id of the session that made
 * each note, lists of sessions, and notes and long results of another session, such as a list of an archive.
 */
const NOTES =
  /^[^/]+\/(?:memory\/.+\.md|(?:sessions-index|bridge-pointer)\.json|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\/(?:tool-results|session-memory)\/[^/]+)$/;
const FLAT_AGENT = /^agent-[\da-f]{8}\.jsonl$/;

/** Names that hold the id of a session: written out, so that each can be seen to take linear time. */
const NAMES = {
  directory: /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/,
  rejected: /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\.jsonl\.rejected$/,
  note: /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\.(?:ccr-tip|precompact|desktop-released)\.json$/,
  insight: /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\.json$/,
  log: /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\.txt$/,
  todos: /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})-agent-.*\.json$/,
} as const;
const ANY_ID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
/** The text behind the id in the name of a sidecar; in a trash, coppice adds more. */
const SIDECAR_ENDING =
  /^(?:|\.[\da-f]{12}|\.txt.*|-agent-.*|\.jsonl?\.(?:rejected|prompts).*|\.(?:ccr-tip|precompact|desktop-released)\.json.*)$/s;

/** Compressed, a backup, renamed, in a trash: whatever stands around the id, but no sidecar. */
function listHeldIds(name: string): readonly string[] {
  const ids = [...name.matchAll(ANY_ID)].map(([id]) => id.toLowerCase());
  const [first = ''] = ids;
  const isAtStart = name.toLowerCase().startsWith(first);
  return isAtStart && SIDECAR_ENDING.test(name.slice(first.length)) ? [] : ids;
}

const FIRST_PART = /^[\da-f]{8}$/;
/** An id without its first part: to begin at a hyphen skips images at once. */
const REST_OF_ID = /-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** Lists all ids in a text, wherever they are. */
function listIds(text: string): readonly string[] {
  const found: string[] = [];
  for (const { 0: rest, index } of text.matchAll(REST_OF_ID)) {
    const first = text.slice(Math.max(0, index - 8), index).toLowerCase();
    if (FIRST_PART.test(first)) found.push(first + rest.toLowerCase());
  }
  return found;
}

/** The names of files that coppice and the client put beside a session in its project. */
const BESIDE = /\.(?:jsonl?\.(?:rejected|prompts)|(?:ccr-tip|precompact|desktop-released)\.json)$/;

/** Lists the ids of sessions that a file in a project may hold. */
function listSessionIds(name: string): readonly string[] {
  return BESIDE.test(name) ? [] : listIds(name);
}

/** The name of one compressed session, whatever stands around its id; another id may be that of a backup. */
const PACKED_SESSION = /\.jsonl?\./i;

/** Lists the ids of the sessions that a compressed file holds by its name; none where that may be any. */
function listPackedIds(name: string): readonly string[] {
  return PACKED_SESSION.test(name) ? listSessionIds(name) : [];
}

/** The session that the first line of a sub-agent names as its own; undefined for a session, whatever its name is. */
export function readOwner(start: string): string | undefined {
  // A mark or blank lines may be before it: the client reads both.
  const [first = ''] = start.trimStart().split('\n', 1);
  const line = Buffer.from(first);
  const isAgent = findOwnValue(line, 'isSidechain') === 'true';
  return isAgent ? findOwnText(line, 'sessionId') : undefined;
}

/** The names of all that 2.0.56 to 2.1.332 put into the folder of a session. */
const FOLDER_NAMES = [
  'subagents',
  'tool-results',
  'custom-title.json',
  'archived.json',
  'ccr-tip.json',
  'precompact.json',
  'sent-prefix.json',
  'resume-head.jsonl',
  'auto-mode-classifier-error.txt',
  'session-memory',
  'workflows',
  'remote-agents',
  'mcp-tasks',
];

/** The clean-up of older releases leaves them behind. */
const orphans: OrphanDialect = {
  findRoot: findConfigOfStore,
  places: [
    { directory: PROJECTS, inEach: true, kind: 'directory', pattern: NAMES.directory },
    {
      directory: PROJECTS,
      inEach: true,
      kind: 'file',
      pattern: NAMES.rejected,
    },
    { directory: PROJECTS, inEach: true, kind: 'file', pattern: NAMES.note },
    {
      directory: PROJECTS,
      inEach: true,
      kind: 'file',
      pattern: FLAT_AGENT,
      readId: readOwner,
    },
    ...FOLDERS.map((folder): OrphanPlace => {
      return { ...folder, kind: 'directory', pattern: NAMES.directory };
    }),
    ...INSIGHTS.map((directory): OrphanPlace => {
      return { directory, kind: 'file', pattern: NAMES.insight };
    }),
    { directory: 'debug', kind: 'file', pattern: NAMES.log },
    { directory: 'todos', kind: 'file', pattern: NAMES.todos },
  ],
  listStores: listStoresOf,
  listHeldIds,
  listIds,
};

function listShared(path: string): readonly SharedSidecar[] {
  const id = toSessionId(path);
  return findConfig(path) !== undefined && MADE_ID.test(id) ? listElsewhere(id) : [];
}

export const sidecars: SidecarDialect = {
  findRoot: (path) => findConfig(path) ?? dirname(path),
  list(path) {
    const config = findConfig(path);
    const id = toSessionId(path);
    const isMade = MADE_ID.test(id);
    const prompts: Sidecar = { name: basename(getPromptsPath(path)), kind: 'file' };
    const around = [
      ...listUsualSidecars(path, AGENT_FOLDERS),
      prompts,
      ...(isMade ? [listFlatAgents(id), ...NOTES_BESIDE.map((one) => toNote(id, one))] : []),
    ];
    if (config === undefined) return around;
    const home = `${PROJECTS}/${basename(dirname(path))}`;
    const named = around.map((one) => ({ ...one, name: `${home}/${one.name}` }));
    return [...named, ...listShared(path)];
  },
  listShared,
  isMade: (path) => MADE_ID.test(toSessionId(path)),
  listFolderHomes: (path) =>
    findConfig(path) === undefined ? [] : listProjectHomes(dirname(dirname(path))),
  agentFolders: AGENT_FOLDERS,
  folderNames: FOLDER_NAMES,
  // After a compaction, and in a session that begins with the plan that another one has made.
  pointsBy: POINTER,
  isOwnDirectory: (path) => isOrphanPlace(path, orphans.places),
  orphans,
};

const NOTE_NAME = /^(\d{1,10})\.json$/;

/** `sessions/<pid>.json` is there while a process has a session open, and remains when that is killed. */
const notes: OpenNotes = {
  findDirectory: (home) => join(home, 'sessions'),
  toId: toSessionId,
  parse(name, content) {
    const pid = Number(NOTE_NAME.exec(name)?.[1]);
    if (!Number.isInteger(pid) || pid < 1) return undefined;
    const sessionId = getString(content ?? {}, 'sessionId');
    // An id of another form may mean any session.
    if (!content || sessionId === undefined || !SESSION_ID.test(sessionId)) {
      return { pid, sessionId: null, updatedAt: 0 };
    }
    const updatedAt = toTime(content['updatedAt'] ?? content['startedAt']);
    return { pid, sessionId, updatedAt: updatedAt || 0 };
  },
};

export const liveness: LivenessDialect = {
  findHome: findConfig,
  listHomes: listConfigDirectories,
  listSharers: listSessionSharers,
  stores: [PROJECTS],
  notes,
};
