import { getObject, getString, isArray, type JsonObject } from '../../json.ts';
import type { FileLists } from '../../format-file-lists.ts';
import { toBlocks } from './estimate-tokens.ts';

const MODIFYING: ReadonlySet<unknown> = new Set(['write', 'edit']);

/**
 * The files that tool calls name, and those of an earlier summary that the agent itself wrote: as
 * pi 0.87.1, which looks at `read`, `write` and `edit` calls only.
 */
export function collectFiles(
  messages: readonly JsonObject[],
  earlier: JsonObject | undefined,
): FileLists {
  const details = earlier && !earlier['fromHook'] ? getObject(earlier, 'details') : undefined;
  const read = new Set(getStrings(details, 'readFiles'));
  const modified = new Set(getStrings(details, 'modifiedFiles'));
  for (const message of messages) {
    if (message['role'] !== 'assistant') continue;
    for (const call of toBlocks(message['content'])) {
      const args = call['type'] === 'toolCall' ? getObject(call, 'arguments') : undefined;
      const path = args && getString(args, 'path');
      if (!path) continue;
      if (call['name'] === 'read') read.add(path);
      else if (MODIFYING.has(call['name'])) modified.add(path);
    }
  }
  return {
    readFiles: [...read].filter((path) => !modified.has(path)).toSorted(),
    modifiedFiles: [...modified].toSorted(),
  };
}

function getStrings(from: JsonObject | undefined, key: string): readonly string[] {
  const found = from?.[key];
  return isArray(found) ? found.filter((item) => typeof item === 'string') : [];
}
