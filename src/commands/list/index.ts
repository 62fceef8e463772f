import { ExitCode } from '../../errors.ts';
import { TOTAL_KEYS } from '../../session/read/summaries/totals.ts';
import { type Context, defineCommand } from '../command.ts';
import { listEntries } from './entries.ts';
import { listInfo } from './info.ts';
import { listSessions } from './sessions.ts';
import { listTotals } from './totals.ts';
import { listOptions } from './options.ts';
import { type ListRequest, toListRequest } from './request.ts';

/** The option that a field of totals is from: each kind has one of these. */
const BY_KEY = Object.fromEntries(TOTAL_KEYS.map((key) => [key, [`by=${key}`]]));

const READS_USAGE = ['usage', 'sort=cost'];

const BY_VIEW = {
  usage: READS_USAGE,
  subagentUsage: READS_USAGE,
  inheritedUsage: READS_USAGE,
  depth: ['lineage'],
};

export const list = defineCommand({
  name: 'list',
  details:
    'Lists the sessions of every project, latest activity first. Changes no session. ' +
    'An index in the cache directory of the user (docs/systems.md) lets the next listing read only ' +
    'files that changed. Files that cannot be read are named on stderr, and in JSON, with their problem.',
  options: listOptions,
  examples: [
    { command: 'coppice list --last 4', says: 'the four latest sessions' },
    {
      command: 'coppice list --project . --usage --columns session,cost',
      says: 'the cost of a project',
    },
    { command: 'coppice list --by model --newer-than 30d', says: 'tokens and cost per model' },
    { command: 'coppice list --larger-than 100MB --paths', says: 'input for another program' },
    { command: 'coppice list 0199a3f1 --entries', says: 'the entry tree of one session' },
    { command: 'coppice list 0199a3f1 --info', says: 'the facts of one session' },
  ],
  exitCodes: { [ExitCode.partial]: 'some files could not be read; the rest is listed' },
  getSchema({ entries, info, by }) {
    if (entries) return 'list-entries';
    if (info) return 'list-info';
    return by === undefined ? 'list' : 'list-by';
  },
  fieldNeeds: ({ entries, info, by }) => (entries || info ? {} : by ? BY_KEY : BY_VIEW),
  toRequest: toListRequest,
  run({ view, ...request }: ListRequest, context: Context) {
    switch (view.kind) {
      case 'entries':
        return listEntries({ ...request, view }, context);
      case 'info':
        return listInfo({ ...request, view }, context);
      case 'totals':
        return listTotals({ ...request, view }, context);
      case 'sessions':
        return listSessions({ ...request, view }, context);
    }
  },
});
