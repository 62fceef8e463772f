import { getDialect } from '../../session/agents/index.ts';
import type { Surroundings } from '../../session/dialect/dialect.ts';
import type { FileError } from '../../errors.ts';
import type { NotedFact, SessionNotes } from '../../session/dialect/surroundings/notes.ts';
import type { Agent } from '../../session/model/agent.ts';
import type { JsonObject } from '../../session/jsonl/edit/json.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { isGone, statFile } from '../files/stat-file.ts';
import { readNote } from './read-note.ts';
import { createGatherer, type GatherFiles } from './gather-files.ts';
import { NamesBeside } from './names-beside.ts';
import { createLastLineReader, createSubagentReader, type LastLineOptions } from './subagents.ts';
import type { Variables } from '../../session/dialect/surroundings/world.ts';
import { createRecordsReader, type OnRecordProblem } from '../database/read-records.ts';
import {
  readSource,
  type ReadSourceOptions,
  type SessionSource,
} from '../../session/read/read-session.ts';

/** Adds to a summary what the agent has written down beside its session files. */
export type CompleteSummary = (summary: SessionSummary) => SessionSummary | Promise<SessionSummary>;

/** The error for a file with facts about sessions of an agent, which may be there, and could not be read. */
export interface UnreadFact {
  readonly error: FileError;
  readonly agent: Agent;
  readonly fact: NotedFact;
}

export interface CompleterOptions extends LastLineOptions {
  readonly onProblem?: OnRecordProblem;
  /** Gets one for each file beside sessions that could not be read; for a database, for each such error. */
  readonly unreadFacts?: UnreadFact[];
  /** Names the directories of databases that are not beside their sessions. */
  readonly env: Variables;
}

/** Reads each file of that kind once, however many sessions it is about. */
export function createCompleter({
  onProblem,
  unreadFacts,
  env,
  ...logs
}: CompleterOptions): CompleteSummary {
  const known = new Map<string, Promise<(path: string) => string | undefined>>();
  const completeByRecords = createRecordsReader((error, agent) => {
    onProblem?.(error);
    unreadFacts?.push({ error, agent, fact: 'name' });
  }, env);
  const names = new NamesBeside();
  const completeByNotes = createNotesReader(names, unreadFacts);
  const addLastLine = createLastLineReader(logs, names);
  const completeByNote = async (
    summary: SessionSummary,
    surroundings: Surroundings,
  ): Promise<SessionSummary> => {
    const file = surroundings.findFile(summary.path);
    const report = (error: FileError): void => {
      unreadFacts?.push({ error, agent: summary.agent, fact: 'cwd' });
    };
    const finder =
      known.get(file) ??
      readNote(file, report).then((content = {}) => surroundings.createCwdFinder(content));
    known.set(file, finder);
    const cwd = (await finder)(summary.path);
    return cwd === undefined ? summary : { ...summary, cwd };
  };
  return (summary) => {
    const { surroundings, records, notes, subagents } = getDialect(summary.agent).places;
    if (notes && subagents) return completeByNotes(summary, notes).then(addLastLine);
    if (notes) return completeByNotes(summary, notes);
    if (records) return completeByRecords(summary, records);
    return surroundings ? completeByNote(summary, surroundings) : summary;
  };
}

export type ReadSource = (path: string, options: ReadSourceOptions) => Promise<SessionSource>;

/** `readSource`, with summaries completed, also by the other files of each session, and with its sub-agents. */
export function createSourceReader(world: Pick<CompleterOptions, 'env' | 'onProblem'>): ReadSource {
  const complete = createCompleter(world);
  let gatherFiles: GatherFiles | undefined;
  return async (path, options) => {
    const source = await readSource(path, options);
    const { signal } = options;
    const addSubagents = createSubagentReader({ usage: true, signal });
    gatherFiles ??= createGatherer({ complete, usage: true, subagents: true, signal });
    const whole = await gatherFiles(await complete(source.summary));
    return { ...source, summary: await addSubagents(whole) };
  };
}

/** Reads each note once: some are about one session, and some about all of a home. */
function createNotesReader(names: NamesBeside, unreadFacts: CompleterOptions['unreadFacts']) {
  const known = new Map<string, Promise<Note>>();
  const read = (
    { path: session, agent }: SessionSummary,
    path: string,
    fact: NotedFact | undefined,
  ): Promise<Note> | Note => {
    if (!names.mayHave(session, path)) return NONE;
    const report = (error: FileError): void => {
      if (fact !== undefined) unreadFacts?.push({ error, agent, fact });
    };
    const note = known.get(path) ?? readTimedNote(path, report);
    known.set(path, note);
    return note;
  };
  return async (summary: SessionSummary, notes: SessionNotes): Promise<SessionSummary> => {
    const contents: Record<string, JsonObject | undefined> = {};
    const times: Record<string, number> = {};
    for (const [name, path] of Object.entries(notes.findFiles(summary.path))) {
      const { content, mtimeMs } = await read(summary, path, notes.facts[name]);
      contents[name] = content;
      if (mtimeMs !== undefined) times[name] = mtimeMs;
    }
    return notes.complete(summary, contents, times);
  };
}

interface Note {
  readonly content: JsonObject | undefined;
  /** Undefined where it is not there. */
  readonly mtimeMs: number | undefined;
}

const NONE: Note = { content: {}, mtimeMs: undefined };

async function readTimedNote(path: string, onProblem: (problem: FileError) => void): Promise<Note> {
  if (isGone(path)) return NONE;
  return { content: await readNote(path, onProblem), mtimeMs: statFile(path)?.mtimeMs };
}
