import type { SessionSummary } from '../../session/model/summary.ts';
import type { ContentSizes } from '../../session/read/summaries/measure-session.ts';
import { toPlainLine } from '../text/escape.ts';
import {
  formatAgo,
  formatRecordedCost,
  formatCount,
  formatSize,
  formatTime,
} from '../text/numbers.ts';
import { formatPath } from '../text/paths.ts';
import type { Column } from '../text/table.ts';
import { type SessionResult, toSessionResult } from './session-result.ts';

/** The JSON of one session's facts: field names that programs rely on. */
export interface SessionInfo extends SessionResult {
  /** The time of the last write to the file, ISO 8601. */
  readonly fileModified: string;
  readonly sizes: ContentSizes;
}

export function toSessionInfo(
  summary: SessionSummary,
  sizes: ContentSizes,
  totalSize: number,
): SessionInfo {
  const { fileModified } = summary;
  return { ...toSessionResult(summary, totalSize), fileModified, sizes };
}

interface Fact {
  readonly name: string;
  /** Plain text, safe for a terminal. */
  readonly value: string;
}

/** One session's facts for people, none of them shortened; the title of the session is above them. */
export function createInfoColumns({ name, firstMessage }: SessionInfo): readonly Column<Fact>[] {
  const title = toPlainLine(name ?? firstMessage, 200) || '(no text)';
  return [
    { title: 'SESSION', cell: (fact) => fact.name },
    { title, cell: ({ value }) => value },
  ];
}

const KINDS: readonly (readonly [keyof ContentSizes, string])[] = [
  ['text', 'text'],
  ['thinking', 'thinking'],
  ['toolCalls', 'tool calls'],
  ['toolOutput', 'tool output'],
  ['images', 'images'],
  ['snapshots', 'snapshots'],
  ['other', 'other'],
];

interface World {
  readonly now: number;
  readonly home: string;
}

export function listFacts(info: SessionInfo, world: World): Fact[] {
  const { usage, sizes, models, problem } = info;
  const facts: (Fact | undefined)[] = [
    ...listOrigin(info, world),
    toFact('messages', formatCount(info.messageCount)),
    toFact('entries', formatCount(info.entryCount)),
    toFact('branches', formatCount(info.leafCount)),
    toFact('compactions', formatCount(info.compactionCount)),
    toFact('models', toPlainLine(models.join(', '))),
    usage && toFact('tokens', formatCount(usage.totalTokens)),
    usage && toFact('cost', formatRecordedCost(usage.cost)),
    toFact('sub-agents', formatSubagents(info)),
    toFact('size', formatSize(info.size)),
    ...KINDS.map(([kind, name]) =>
      toFact(`  ${name}`, sizes[kind] > 0 ? formatSize(sizes[kind]) : ''),
    ),
    toFact('with sidecars', info.totalSize > info.size ? formatSize(info.totalSize) : ''),
    toFact('problem', problem ? toPlainLine(problem.message) : ''),
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** Lists where a session is and where it is from. */
function listOrigin(info: SessionInfo, { now, home }: World): (Fact | undefined)[] {
  const { created, expires, parentSessionPath, archived } = info;
  const earlier = (info.files ?? []).filter((file) => file !== info.path);
  return [
    toFact('path', formatPath(info.path, home)),
    ...earlier.map((file) => toFact('earlier file', formatPath(file, home))),
    toFact('id', toPlainLine(info.id)),
    toFact('agent', info.agent),
    toFact('version', String(info.formatVersion ?? '')),
    toFact('project', formatPath(info.cwd, home)),
    toFact('git branch', toPlainLine(info.gitBranch ?? '')),
    toFact('source', toPlainLine(info.source ?? info.entrypoint ?? '')),
    toFact('archived', archived === true ? 'in its agent' : ''),
    toFact('forked from', parentSessionPath === null ? '' : formatPath(parentSessionPath, home)),
    toFact('created', created === null ? '' : formatMoment(created, now)),
    toFact('last active', formatMoment(info.modified, now)),
    toFact('file written', formatMoment(info.fileModified, now)),
    toFact('expires', expires === undefined ? '' : formatMoment(expires, now)),
  ];
}

/** Formats a time, and how long ago it was, unless that would be its date once more. */
function formatMoment(time: string, now: number): string {
  const [moment, ago] = [formatTime(time), formatAgo(time, now)];
  return moment.startsWith(ago) ? moment : `${moment} (${ago})`;
}

function formatSubagents({ subagents = [], subagentUsage }: SessionInfo): string {
  if (subagents.length === 0) return '';
  const tokens = subagentUsage ? `, ${formatCount(subagentUsage.totalTokens)} tokens` : '';
  return `${formatCount(subagents.length)}${tokens}`;
}

/** Undefined where there is nothing to show. */
function toFact(name: string, value: string): Fact | undefined {
  return value === '' ? undefined : { name, value };
}
