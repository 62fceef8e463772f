import { basename, dirname, join } from 'node:path';
import type { HistoryDialect } from '../../../dialect/surroundings/history.ts';
import { getNumber, getString } from '../../../jsonl/edit/json.ts';
import { toSessionId } from '../format.ts';
import { findConfig } from './session-files.ts';

/** The prompts of all sessions that were typed in the terminal, for the up arrow. */
export const history: HistoryDialect = {
  findFile(path) {
    const config = findConfig(path);
    return config === undefined ? undefined : join(config, 'history.jsonl');
  },
  findFileOfStore: (store) =>
    basename(store) === 'projects' ? join(dirname(store), 'history.jsonl') : undefined,
  toId: toSessionId,
  getSessionId: (line) => getString(line, 'sessionId'),
  getTime: (line) => getNumber(line, 'timestamp') ?? Number.NaN,
};
