import { dirname, join } from 'node:path';
import type { HistoryDialect } from '../../../dialect/surroundings/history.ts';
import { getNumber, getString } from '../../../jsonl/edit/json.ts';
import { toSessionId } from '../format.ts';
import { findConfig, findConfigOfStore, PROMPTS } from './config.ts';
import { listPromptSharers } from './shared-stores.ts';

/** The prompts of all sessions that were typed in the terminal, for the up arrow. */
export const history: HistoryDialect = {
  findFile: (path) => toFile(findConfig(path)),
  findFileOfStore: (store) => toFile(findConfigOfStore(store)),
  listSharers: (file, world) => listPromptSharers(dirname(file), world),
  toId: toSessionId,
  getSessionId: (line) => getString(line, 'sessionId'),
  getTime: (line) => getNumber(line, 'timestamp') ?? Number.NaN,
};

function toFile(config: string | undefined): string | undefined {
  return config === undefined ? undefined : join(config, PROMPTS);
}
