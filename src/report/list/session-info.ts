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
  return [
    { title: 'SESSION', cell: (fact) => fact.name },
    { title: toPlainLine(name ?? firstMessage, 200), cell: ({ value }) => value },
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

export function listFacts(info: SessionInfo, { now, home }: { now: number; home: string }): Fact[] {
  const { usage, sizes, models, created, modified, parentSessionPath, problem } = info;
  const toMoment = (time: string) => `${formatTime(time)} (${formatAgo(time, now)})`;
  const facts: (Fact | undefined)[] = [
    toFact('path', formatPath(info.path, home)),
    toFact('id', toPlainLine(info.id)),
    toFact('agent', info.agent),
    toFact('version', String(info.formatVersion ?? '')),
    toFact('project', formatPath(info.cwd, home)),
    toFact('forked from', parentSessionPath === null ? '' : formatPath(parentSessionPath, home)),
    toFact('created', created === null ? '' : toMoment(created)),
    toFact('last active', toMoment(modified)),
    toFact('file written', toMoment(info.fileModified)),
    toFact('messages', formatCount(info.messageCount)),
    toFact('entries', formatCount(info.entryCount)),
    toFact('branches', formatCount(info.leafCount)),
    toFact('compactions', formatCount(info.compactionCount)),
    toFact('models', toPlainLine(models.join(', '))),
    usage && toFact('tokens', formatCount(usage.totalTokens)),
    usage && toFact('cost', formatRecordedCost(usage.cost)),
    toFact('size', formatSize(info.size)),
    ...KINDS.map(([kind, name]) =>
      toFact(`  ${name}`, sizes[kind] > 0 ? formatSize(sizes[kind]) : ''),
    ),
    toFact('with sidecars', info.totalSize > info.size ? formatSize(info.totalSize) : ''),
    toFact('problem', problem ? toPlainLine(problem.message) : ''),
  ];
  return facts.filter((fact) => fact !== undefined);
}

/** Undefined where there is nothing to show. */
function toFact(name: string, value: string): Fact | undefined {
  return value === '' ? undefined : { name, value };
}
