import { listCwds, listOtherCwds, type SessionSummary } from '../../../session/model/summary.ts';
import type { Unit } from '../../../session/model/tree/units.ts';

/** Returns whether some files of a session are archived, and some are not. */
function isInBoth({ id, archived }: SessionSummary, files: readonly SessionSummary[]): boolean {
  return files.some((one) => one.id === id && one.archived !== archived);
}

/**
 * Combines the facts that hold for a session if they do for any of its files: its use, its directories, and
 * lines that were not understood.
 */
export function sumUp({ session, files }: Unit) {
  const latest = (times: readonly (string | null)[]): string =>
    times.reduce<string>((best, time) => (time !== null && time > best ? time : best), '');
  const cwds = files.flatMap(listCwds);
  const lastWritten = latest(files.map((one) => one.lastWritten));
  const namedAt = latest(files.map((one) => one.namedAt ?? null));
  const hasLaterLine = files.some((one) => one.hasLaterLine === true);
  const sum = (key: 'lines' | 'entries' | 'times'): number =>
    files.reduce((total, { unread }) => total + unread[key], 0);
  return {
    modified: latest(files.map(({ modified }) => modified)),
    fileModified: latest(files.map(({ fileModified }) => fileModified)),
    lastWritten: lastWritten === '' ? null : lastWritten,
    ...(namedAt !== '' && { namedAt }),
    ...(hasLaterLine && { hasLaterLine }),
    unread: {
      ...session.unread,
      lines: sum('lines'),
      entries: sum('entries'),
      times: sum('times'),
      title: files.some(({ unread }) => unread.title === true),
      otherName: files.some(({ unread }) => unread.otherName === true),
      state: files.some(({ unread }) => unread.state === true) || isInBoth(session, files),
    },
    ...listOtherCwds(session.cwd, cwds),
    userMessageCount: files.reduce((total, one) => total + one.userMessageCount, 0),
    workCount: files.reduce((total, { workCount }) => total + workCount, 0),
  };
}
