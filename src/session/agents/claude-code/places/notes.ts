import { join } from 'node:path';
import type { SessionNotes } from '../../../dialect/surroundings/notes.ts';
import { getString, isTextIfAny, type JsonObject, toIso } from '../../../jsonl/edit/json.ts';
import { getFolderName } from '../../../model/sidecar.ts';
import type { SessionSummary } from '../../../model/summary.ts';
import { findConfig } from './config.ts';

/** The number of days unless the settings name another. */
const DEFAULT_CLEANUP_DAYS = 30;

const DAY_MS = 86_400_000;

/** The directory with the settings of a machine's administrator, which count for more than the user's own. */
const MANAGED: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: '/Library/Application Support/ClaudeCode',
  win32: 'C:\\Program Files\\ClaudeCode',
};
const managed = MANAGED[process.platform] ?? '/etc/claude-code';

/**
 * The facts about a session in files beside it: the title that the user gave, whether it is archived, and the days
 * without a change after which the client deletes it.
 */
export const notes: SessionNotes = {
  findFiles(path) {
    const config = findConfig(path);
    const folder = getFolderName(path);
    return {
      ...(config !== undefined && {
        settings: join(config, 'settings.json'),
        remote: join(config, 'remote-settings.json'),
        managed: join(managed, 'managed-settings.json'),
        // A directory, which is not read: where it is there, it is not known what it says.
        more: join(managed, 'managed-settings.d'),
      }),
      ...(folder !== undefined && {
        title: join(path, '..', folder, 'custom-title.json'),
        state: join(path, '..', folder, 'archived.json'),
        released: join(path, '..', `${folder}.desktop-released.json`),
      }),
    };
  },
  facts: {
    settings: 'expiry',
    remote: 'expiry',
    managed: 'expiry',
    title: 'name',
    state: 'state',
    released: 'expiry',
  },
  complete(summary, contents, times) {
    const { title, state } = contents;
    const days = findCleanupDays(contents);
    const named: SessionSummary = {
      ...summary,
      ...(title && addTitle(summary, getString(title, 'customTitle')?.trim() ?? '')),
      ...addTime(summary, times['title']),
      ...(isDeleted(summary, contents['released']) && findExpiry(summary, days)),
    };
    const isUnread = 'title' in contents && !(title && isTextIfAny(title, 'customTitle'));
    const whole = isUnread ? withDoubt(named, 'title') : named;
    return 'state' in contents ? addState(whole, state) : whole;
  },
};

/** The client shows the title in the lines, unless that is far from their end: then it shows this one. */
function addTitle(
  { name, givenName, unread }: SessionSummary,
  title: string,
): Pick<SessionSummary, 'name' | 'unread'> {
  if (title === '') return { name, unread };
  if (givenName === undefined || givenName === title) return { name: title, unread };
  return {
    name: givenName === '' ? (name ?? title) : name,
    unread: { ...unread, otherName: true },
  };
}

function withDoubt(summary: SessionSummary, about: 'title' | 'state'): SessionSummary {
  return { ...summary, unread: { ...summary.unread, [about]: true } };
}

/**
 * The client lists a session as archived until something is said in it later; `modified` is also the time of an
 * answer, so that is in doubt.
 */
function addState(summary: SessionSummary, state: JsonObject | undefined): SessionSummary {
  if (!state) return withDoubt(summary, 'state');
  const { archived } = state;
  const at = Date.parse(getString(state, 'at') ?? '');
  if (typeof archived !== 'boolean' || Number.isNaN(at)) return summary;
  if (archived && Date.parse(summary.modified) > at) return withDoubt(summary, 'state');
  return { ...summary, archived };
}

/** A name has no time but that of its file. */
function addTime(
  { namedAt }: SessionSummary,
  written = Number.NaN,
): Pick<SessionSummary, 'namedAt'> {
  const time = toIso(written);
  return time === undefined || (namedAt !== undefined && namedAt > time) ? {} : { namedAt: time };
}

/** Returns whether the client deletes a session by age: one that an app holds only once that has given it up. */
function isDeleted({ isHeldByHost }: SessionSummary, released: JsonObject = {}): boolean {
  return !isHeldByHost || ['delete', 'archive'].includes(getString(released, 'reason') ?? '');
}

/**
 * Undefined where settings cannot be read, and for a value that the client may understand in another way. For one below 0
 * or with a fraction, 1.0.59 and 2.0.56 take the default, and 2.1.42 deletes nothing. For 0, releases up to 2.1.42
 * delete everything, and 2.1.332 nothing. Whether the client takes what an organization's server has sent depends on
 * who has signed in.
 */
function findCleanupDays(
  contents: Readonly<Record<string, JsonObject | undefined>>,
): number | undefined {
  const { settings, managed: first = {}, remote = {} } = contents;
  const isUnread = ['managed', 'more', 'remote'].some((one) => one in contents && !contents[one]);
  if (!settings || isUnread) return undefined;
  const { cleanupPeriodDays: days = settings['cleanupPeriodDays'] } = first;
  const { cleanupPeriodDays: sent = days } = remote;
  if (sent !== days) return undefined;
  if (days === undefined) return DEFAULT_CLEANUP_DAYS;
  return typeof days === 'number' && Number.isInteger(days) && days > 0 ? days : undefined;
}

/** Finds the time of expiry; it is not known outside of a home, nor where its settings cannot be read. */
function findExpiry(
  { fileModified, path }: SessionSummary,
  days: number | undefined,
): Pick<SessionSummary, 'expires'> {
  if (days === undefined || findConfig(path) === undefined) return {};
  const expires = toIso(Date.parse(fileModified) + days * DAY_MS);
  return expires === undefined ? {} : { expires };
}
