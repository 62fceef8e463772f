import { getParentPath } from '../../session/model/tree/parents.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import type { Usage } from '../../session/model/usage.ts';
import { toPlainLine } from '../text/escape.ts';
import {
  formatAgo,
  formatCount,
  formatDay,
  formatRecordedCost,
  formatSize,
} from '../text/numbers.ts';
import { formatOnce } from '../text/format-once.ts';
import { formatPath } from '../text/paths.ts';
import type { Column } from '../text/table.ts';

/** A session as the table shows it. */
export interface SessionRow {
  readonly summary: SessionSummary;
  /** The depth in the tree of forks; 0 outside of one. */
  readonly depth: number;
  readonly ownUsage?: Usage | undefined;
  /** The session is that of a sub-agent, which is shown below its own. */
  readonly isSubagent?: true;
}

export interface ColumnOptions {
  readonly now: number;
  readonly home: string;
}

export const COLUMN_NAMES = [
  'active',
  'created',
  'project',
  'session',
  'messages',
  'entries',
  'branches',
  'compactions',
  'size',
  'version',
  'agent',
  'branch',
  'source',
  'expires',
  'id',
  'models',
  'tokens',
  'cost',
  'path',
] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

export const DEFAULT_COLUMNS: readonly ColumnName[] = [
  'active',
  'project',
  'session',
  'messages',
  'size',
  'version',
];

/** Every column that a table of sessions can have. */
export function createColumns(options: ColumnOptions): Record<ColumnName, Column<SessionRow>> {
  return { ...createTextColumns(options), ...createOriginColumns(), ...createNumberColumns() };
}

type TextColumn =
  | 'active'
  | 'created'
  | 'project'
  | 'session'
  | 'version'
  | 'id'
  | 'models'
  | 'path';

function createTextColumns({ now, home }: ColumnOptions): Record<TextColumn, Column<SessionRow>> {
  const formatProject = formatOnce((cwd) => formatPath(cwd, home) || '?');
  return {
    active: { title: 'LAST ACTIVE', cell: ({ summary }) => formatAgo(summary.modified, now) },
    created: {
      title: 'CREATED',
      cell: ({ summary }) => (summary.created === null ? '?' : formatAgo(summary.created, now)),
    },
    project: {
      title: 'PROJECT',
      shrinks: 'start',
      cell: ({ summary }) => formatProject(summary.cwd),
    },
    session: {
      title: 'SESSION',
      shrinks: 'end',
      cell: formatSession,
      paint: (text, style, { summary }) => (summary.name === null ? text : style.bold(text)),
    },
    version: {
      title: 'VERSION',
      isMinor: true,
      cell: ({ summary }) => String(summary.formatVersion ?? ''),
      paint: (text, style, { summary }) => (summary.problem ? style.red(text) : text),
    },
    id: { title: 'ID', cell: ({ summary }) => toPlainLine(summary.id) || '?' },
    models: {
      title: 'MODELS',
      shrinks: 'end',
      cell: ({ summary }) => toPlainLine(summary.models.join(', ')),
    },
    path: { title: 'PATH', cell: ({ summary }) => formatPath(summary.path, home) },
  };
}

type OriginColumn = 'agent' | 'branch' | 'source' | 'expires';

/** Makes the columns about the origin of a session and the time until its agent deletes it. */
function createOriginColumns(): Record<OriginColumn, Column<SessionRow>> {
  return {
    agent: { title: 'AGENT', cell: ({ summary }) => summary.agent },
    branch: {
      title: 'BRANCH',
      shrinks: 'end',
      cell: ({ summary }) => toPlainLine(summary.gitBranch ?? ''),
    },
    source: {
      title: 'SOURCE',
      cell: ({ summary }) => toPlainLine(summary.source ?? summary.entrypoint ?? ''),
    },
    expires: {
      title: 'EXPIRES',
      cell: ({ summary: { expires } }) =>
        expires === undefined ? '' : formatDay(Date.parse(expires)),
    },
  };
}

type NumberColumn = Exclude<ColumnName, TextColumn | OriginColumn>;

function createNumberColumns(): Record<NumberColumn, Column<SessionRow>> {
  const count = (title: string, get: (summary: SessionSummary) => number): Column<SessionRow> => ({
    title,
    align: 'right',
    isMinor: true,
    cell: ({ summary }) => formatCount(get(summary)),
  });
  return {
    messages: count('MESSAGES', ({ messageCount }) => messageCount),
    entries: count('ENTRIES', ({ entryCount }) => entryCount),
    branches: count('BRANCHES', ({ leafCount }) => leafCount),
    compactions: count('COMPACTIONS', ({ compactionCount }) => compactionCount),
    size: {
      title: 'SIZE',
      align: 'right',
      isMinor: true,
      cell: ({ summary }) => formatSize(summary.size),
    },
    tokens: {
      title: 'TOKENS',
      align: 'right',
      cell: ({ ownUsage }) => (ownUsage ? formatCount(ownUsage.totalTokens) : ''),
    },
    cost: {
      title: 'COST',
      align: 'right',
      cell: ({ ownUsage }) => (ownUsage ? formatRecordedCost(ownUsage.cost) : ''),
    },
  };
}

function formatSession({ summary, depth, isSubagent }: SessionRow): string {
  const title = toPlainLine(summary.name ?? summary.firstMessage) || '(no text)';
  if (isSubagent) return `${'  '.repeat(depth)}· ${title}`;
  const fork = getParentPath(summary) !== null && depth === 0 ? '  (fork)' : '';
  const branch = depth > 0 ? `${'  '.repeat(depth - 1)}└ ` : '';
  return `${branch}${title}${fork}`;
}
