import { toSubagent } from '../../../model/tree/gather.ts';
import { basename, dirname, join } from 'node:path';
import type { SubagentDialect } from '../../../dialect/surroundings/subagents.ts';
import { getString } from '../../../jsonl/edit/json.ts';
import { getFolderName } from '../../../model/sidecar.ts';
import { toSessionId } from '../format.ts';
import { readOwner } from './session-files.ts';
import { SessionSummarizer } from '../index/summarize.ts';

const FILE_NAME = /^agent-[\w-]{1,100}\.jsonl$/;

/** Sub-agents in files of their own, since 2.0: in the folder of their session, or beside it (2.0.56). */
export const subagents: SubagentDialect = {
  listPlaces(path) {
    const folder = getFolderName(path);
    const home = dirname(path);
    return [
      ...(folder === undefined
        ? []
        : [{ directory: join(home, folder, 'subagents'), holdsOneSession: true }]),
      { directory: home, holdsOneSession: false },
    ];
  },
  isFile: (name) => FILE_NAME.test(name),
  isOf: (start, path) => readOwner(start) === toSessionId(path),
  findNote: (path) => path.replace(/\.jsonl$/, '.meta.json'),
  createFold: (options) => new SessionSummarizer(options, true),
  toSubagent: (summary, note = {}) =>
    toSubagent(summary, {
      id: basename(summary.path).replace(/^agent-|\.jsonl$/g, ''),
      type: getString(note, 'agentType') ?? null,
      description: getString(note, 'description') ?? summary.firstMessage,
      callId: getString(note, 'toolUseId') ?? null,
    }),
};
