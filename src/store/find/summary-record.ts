import { agents } from '../../session/model/agent.ts';
import type { JsonValue } from '../../session/jsonl/edit/json.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import type { NoSession } from '../../session/read/no-session.ts';
import type { RecordCodec } from './list-index.ts';

type Facts = Omit<SessionSummary, 'path' | UsageFact>;
type UsageFact = 'usage' | 'entryUsages' | 'packedUsages';

/** The facts that every session has, in the order in which a record has them. */
const COMMON = [
  'agent',
  'formatVersion',
  'id',
  'cwd',
  'name',
  'created',
  'modified',
  'messageCount',
  'firstMessage',
  'parentSessionPath',
  'branchedFrom',
  'size',
  'entryCount',
  'leafCount',
  'compactionCount',
  'models',
  'userMessageCount',
  'workCount',
  'labelCount',
  'fileModified',
  'unread',
  'lastWritten',
] as const satisfies readonly (keyof Facts)[];
/** The facts in which many sessions are alike. */
const SHARED = ['agent', 'cwd', 'models', 'unread'] as const;

type Common = typeof COMMON;
type Shared = (typeof SHARED)[number];
type Rare = Omit<Facts, Common[number]>;
type CommonRecord<Names extends readonly (keyof Facts)[]> = {
  readonly [At in keyof Names]: Names[At] extends Shared ? number : Facts[Names[At]];
};
type SummaryRecord = readonly [...CommonRecord<Common>, rare: Rare | 0];

const shared: ReadonlySet<string> = new Set(SHARED);
const usageFacts = ['usage', 'entryUsages', 'packedUsages'] as const satisfies UsageFact[];
const notRare: ReadonlySet<string> = new Set(['path', ...usageFacts, ...COMMON]);

type NoSessionRecord = readonly [kind: NoSession['kind'], problem: NoSession['problem']];

export const summaryCodec: RecordCodec<SessionSummary | NoSession> = {
  toRecord(value, share) {
    if ('kind' in value) return [value.kind, value.problem] satisfies NoSessionRecord;
    const record: unknown[] = [];
    for (const key of COMMON) record.push(shared.has(key) ? share(value[key]) : value[key]);
    const isRare = (key: string): boolean => !notRare.has(key);
    const rare = Object.keys(value).some(isRare)
      ? Object.fromEntries(Object.entries(value).filter(([key]) => isRare(key)))
      : 0;
    record.push(rare);
    return record;
  },
  fromRecord(record, values, path) {
    if (record.length === 2) return toNoSession(record);
    const summary = toSummary(record, values, path);
    return isSummary(summary) ? summary : undefined;
  },
};

/** Makes a summary; its members are written out, since there is one for each session. */
function toSummary(
  record: readonly JsonValue[],
  values: readonly JsonValue[],
  path: string,
): SessionSummary {
  // This very version wrote it, for this user alone.
  /* oxlint-disable typescript/no-unsafe-type-assertion */
  const own = record as unknown as SummaryRecord;
  const agent = values[own[0]] as unknown as Facts['agent'];
  const cwd = values[own[3]] as unknown as Facts['cwd'];
  const models = values[own[15]] as unknown as Facts['models'];
  const unread = values[own[20]] as unknown as Facts['unread'];
  /* oxlint-enable typescript/no-unsafe-type-assertion */
  const summary: SessionSummary = {
    path,
    agent,
    formatVersion: own[1],
    id: own[2],
    cwd,
    name: own[4],
    created: own[5],
    modified: own[6],
    messageCount: own[7],
    firstMessage: own[8],
    parentSessionPath: own[9],
    branchedFrom: own[10],
    size: own[11],
    entryCount: own[12],
    leafCount: own[13],
    compactionCount: own[14],
    models,
    userMessageCount: own[16],
    workCount: own[17],
    labelCount: own[18],
    fileModified: own[19],
    unread,
    lastWritten: own[21],
  };
  return own[22] === 0 ? summary : Object.assign(summary, own[22]);
}

/** Returns whether it is what a run has written of this file, as far as can be seen. */
function isSummary({ agent, modified, fileModified, unread }: Partial<SessionSummary>): boolean {
  const isKnown = agents.some((one) => one === agent);
  return isKnown && [modified, fileModified].every(isTime) && isObject(unread);
}

function toNoSession(record: readonly JsonValue[]): NoSession | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked here
  const [kind, problem] = record as unknown as NoSessionRecord;
  return typeof kind === 'string' && isObject(problem) ? { kind, problem } : undefined;
}

function isTime(text: unknown): boolean {
  return typeof text === 'string' && !Number.isNaN(Date.parse(text));
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
