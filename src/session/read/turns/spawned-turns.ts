import type { Dialect } from '../../dialect/dialect.ts';
import type { SpawnedDialect } from '../../dialect/surroundings/subagents.ts';
import { FileError } from '../../../errors.ts';
import { otherFiles } from '../../jsonl/read/other-files.ts';
import type { Entry } from '../../model/entry.ts';
import type { Turn, TurnContent } from '../../model/text/conversation.ts';
import { treeOf } from '../../model/tree/tree.ts';
import { readSource, type SessionSource } from '../read-session.ts';
import { selectEntries } from '../select-entries.ts';
import { toSubagentTurn, toText, toWords } from './subagent-turns.ts';
import { type PayloadTransform, type TurnSource, readTurns } from './turns.ts';

/** Takes the path of a file beside the session's own that is about to be shown. */
export type OnFile = (path: string) => Promise<void>;

interface SpawnedSource {
  readonly dialect: Dialect;
  readonly spawned: SpawnedDialect;
  readonly transform: PayloadTransform;
  /** The last line of a file that is shown, where it is not all of it. */
  readonly getEnd?: ((path: string) => number | undefined) | undefined;
  readonly signal: AbortSignal;
  /** Is called with the path of each of their files, before it is read. */
  readonly onFile?: OnFile | undefined;
  /** The ids of those that were shown, each once. */
  readonly shown: Set<string>;
}

/** Turns of a session, with what each sub-agent said behind the line that says that it was begun. */
export function readSpawnedTurns(
  turnSource: TurnSource &
    Pick<SpawnedSource, 'spawned' | 'transform' | 'getEnd' | 'signal' | 'onFile'>,
): AsyncGenerator<Turn> {
  return readWithSpawned(turnSource, { ...turnSource, shown: new Set() });
}

async function* readWithSpawned(
  turnSource: TurnSource,
  shared: SpawnedSource,
): AsyncGenerator<Turn> {
  const { spawned, transform, shown } = shared;
  const begun = new Map<number, readonly string[]>();
  const turns = readTurns({
    ...turnSource,
    transform: (value, line) => {
      const ids = spawned.listBegun(value);
      if (ids.length > 0) begun.set(line, ids);
      return transform(value, line);
    },
  });
  for await (const turn of turns) {
    yield turn;
    const { entry, time } = turn;
    const ids = begun.get(entry.line) ?? [];
    begun.delete(entry.line);
    for (const id of ids) {
      if (shown.has(id)) continue;
      shown.add(id);
      const content = await readSpawned(id, turnSource.path, shared);
      if (content) yield { entry, time, ...content };
    }
  }
}

/** Undefined where its file is gone, or cannot be read. */
async function readSpawned(
  id: string,
  path: string,
  shared: SpawnedSource,
): Promise<TurnContent | undefined> {
  const { spawned, dialect, signal, onFile } = shared;
  // Its lines are not those of the session.
  const transform: PayloadTransform = (value) => shared.transform(value, 0);
  try {
    const source = await readSpawnedSource(id, path, { spawned, dialect, signal, onFile });
    if (!source) return undefined;
    const { session, summary } = source;
    const scope = { allBranches: false, fullHistory: true };
    const { entries, edits } = selectEntries(session, dialect, treeOf(session), scope);
    const end = shared.getEnd?.(session.path) ?? Infinity;
    const isShown = ({ file, line }: Entry): boolean => file !== undefined || line <= end;
    const own = entries.filter((one) => !one.isCopied && isShown(one));
    const said: string[] = [];
    const inner = { ...shared, transform };
    const turnSource = { path: session.path, dialect, entries: own, edits, transform, signal };
    for await (const turn of readWithSpawned(turnSource, inner)) said.push(...toText(turn));
    const { relations } = summary;
    const title = { type: relations?.subagentType, description: relations?.subagentName };
    return toSubagentTurn(toWords(await transform(title, 0)), said);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** Reads the session of a sub-agent that another began; undefined where none is there. @throws FileError */
export async function readSpawnedSource(
  id: string,
  path: string,
  {
    spawned,
    dialect,
    signal,
    onFile,
  }: Pick<SpawnedSource, 'spawned' | 'dialect' | 'signal' | 'onFile'>,
): Promise<SessionSource | undefined> {
  const places = spawned.listPlaces(path);
  const file = await otherFiles.findBelow(places, (name) => spawned.toId(name) === id);
  if (file === undefined) return undefined;
  await onFile?.(file);
  const source = await readSource(file, { signal });
  const { agent, header } = source.session;
  return agent === dialect.agent && header ? source : undefined;
}
