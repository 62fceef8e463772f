import type { Problem, SessionSummary } from '../../../session/model/summary.ts';
import type { EntryUsage } from '../../../session/model/usage.ts';
import { readSource, type SessionSource } from '../../../session/read/read-session.ts';
import { type DocumentOptions, openDocument, redactSummary } from '../../open-document.ts';
import { type CreateRedactor, loadRedaction } from '../../redact/load-redaction.ts';
import type { Redactor } from '../../redact/redactor.ts';
import { readUsages } from '../../turns/read-usages.ts';
import { learnSecrets } from '../../redact/secrets/learn-secrets.ts';
import { toTooLong } from '../format.ts';
import type { Row } from './table.ts';
import {
  type ENTRY_COLUMNS,
  type SESSION_COLUMNS,
  toEntryRows,
  toSessionRow,
  toUsageRows,
  type USAGE_COLUMNS,
} from './tables.ts';

/** The rows of each table, for some sessions. */
export interface TableRows {
  sessions(of: readonly SessionSummary[]): AsyncIterable<Row<typeof SESSION_COLUMNS>>;
  usage(of: readonly SessionSummary[]): AsyncIterable<Row<typeof USAGE_COLUMNS>>;
  entries(of: readonly SessionSummary[]): AsyncIterable<Row<typeof ENTRY_COLUMNS>>;
}

/** How the rows are made of sessions. */
export interface RowSource {
  /** The secrets to take out; undefined: nothing is taken out. */
  readonly secrets: readonly string[] | undefined;
  /** Reads a session with the facts that are beside its file, and its sub-agents. */
  readonly readWhole: (
    path: string,
    options: { readonly signal: AbortSignal },
  ) => Promise<SessionSource>;
  /** Adds the sub-agents of a session that its listing does not name. */
  readonly addSubagents: (summary: SessionSummary) => Promise<SessionSummary>;
  /** The entries that a fork has copied, and that count in its parent: by path, their indexes among those with usage. */
  readonly inherited: ReadonlyMap<string, ReadonlySet<number>>;
  readonly generator: string;
  /** Is called for what is missing in the rows of a session. */
  readonly onGap: (path: string, gap: Problem) => void;
  readonly signal: AbortSignal;
}

/** Makes the rows of all tables; sessions are read as their rows are asked for. */
export async function createRows({
  secrets,
  readWhole,
  addSubagents,
  inherited,
  generator,
  onGap,
  signal,
}: RowSource): Promise<TableRows> {
  const createRedactor = await loadRedaction(secrets);
  const getRedactor = createRedactors(createRedactor, { readWhole, signal });
  return {
    async *sessions(summaries: readonly SessionSummary[]) {
      for (const one of summaries) {
        yield toSessionRow(await redactSummary(one, await getRedactor(one.path)));
      }
    },
    async *usage(summaries: readonly SessionSummary[]) {
      for (const one of summaries) {
        const redactor = await getRedactor(one.path);
        const safe = await redactSummary(one, redactor);
        const toModel = createToModel(one, safe, redactor);
        const usages = await readUsages(one, { signal });
        yield* toUsageRows(safe, usages, inherited.get(one.path), toModel);
        const below = await readBelow(await addSubagents(one), signal);
        yield* toUsageRows(safe, below, undefined, toModel);
      }
    },
    async *entries(summaries: readonly SessionSummary[]) {
      for (const { path } of summaries) {
        yield* readEntryRows(path, getRedactor, { generator, onGap, signal });
      }
    },
  };
}

async function* readEntryRows(
  path: string,
  getRedactor: (path: string) => Promise<Redactor | undefined>,
  { generator, onGap, signal }: Pick<RowSource, 'generator' | 'onGap' | 'signal'>,
): AsyncGenerator<Row<typeof ENTRY_COLUMNS>> {
  const source = await readSource(path, { signal, sumsUsage: true });
  const redactor = await getRedactor(path);
  const document = await openDocument(source, { ...WHOLE, redactor, generator, signal });
  for (const gap of document.gaps) onGap(path, gap);
  try {
    yield* toEntryRows(document);
  } catch (error) {
    throw toTooLong(error, document);
  }
}

/** The usages of all sub-agents of a session: those that have a file like other sessions come without them. */
async function readBelow(
  { subagents = [] }: SessionSummary,
  signal: AbortSignal,
): Promise<readonly EntryUsage[]> {
  const usages: EntryUsage[] = [];
  for (const { path, entryUsages } of subagents) {
    for (const one of entryUsages ?? (await readUsages({ path }, { signal }))) usages.push(one);
  }
  return usages;
}

/** All that a session holds, as every table shows it. */
const WHOLE: Pick<DocumentOptions, 'scope' | 'filter'> = {
  scope: { allBranches: true, fullHistory: true },
  filter: { thinking: true, tools: true, images: 'drop' },
};

/** Names of models without secrets. */
function createToModel(
  { models }: SessionSummary,
  safe: SessionSummary,
  redactor: Redactor | undefined,
): (name: string) => string {
  const names = new Map(models.map((name, index) => [name, safe.models[index]]));
  return (name) => names.get(name) ?? redactor?.toSafeId(name) ?? name;
}

/** A redactor for each session, which has read all of it. */
function createRedactors(
  createRedactor: CreateRedactor,
  { readWhole, signal }: Pick<RowSource, 'readWhole' | 'signal'>,
): (path: string) => Promise<Redactor | undefined> {
  const redactors = new Map<string, Redactor>();
  return async (path) => {
    const redactor = redactors.get(path) ?? createRedactor();
    if (!redactor || redactors.has(path)) return redactor;
    await learnSecrets(await readWhole(path, { signal }), redactor, { signal });
    redactors.set(path, redactor);
    return redactor;
  };
}
