import {
  getObject,
  getString,
  type JsonObject,
  listObjects,
  listStrings,
} from '../../../jsonl/edit/json.ts';
import type { FileOperations } from '../../../model/text/file-operations.ts';

/**
 * The files that tool calls name, and those of an earlier summary that the agent itself wrote: as
 * pi 1.6.0, which looks at `read`, `write` and `edit` calls only, but also at those that a script
 * made in code mode, which are noted on the script's result.
 */
export function collectFileOperations(
  messages: readonly JsonObject[],
  earlier: JsonObject | undefined,
): FileOperations {
  const details = earlier && !earlier['fromHook'] ? getObject(earlier, 'details') : undefined;
  const read = new Set(listStrings(details?.['readFiles']));
  const written = new Set<string>();
  const edited = new Set(listStrings(details?.['modifiedFiles']));
  for (const message of messages) {
    for (const call of getCalls(message)) {
      const path = getString(getObject(call, 'arguments') ?? {}, 'path');
      if (!path) continue;
      if (call['name'] === 'read') read.add(path);
      else if (call['name'] === 'write') written.add(path);
      else if (call['name'] === 'edit') edited.add(path);
    }
  }
  return { read, written, edited };
}

/** Lists the calls of a message, or those of the scripts of code mode whose result it is. */
function getCalls(message: JsonObject): readonly JsonObject[] {
  if (message['role'] === 'assistant') {
    return listObjects(message['content']).filter(({ type }) => type === 'toolCall');
  }
  const nested =
    message['role'] === 'toolResult' ? getObject(message, 'nestedCalls')?.['calls'] : undefined;
  return listObjects(nested);
}
