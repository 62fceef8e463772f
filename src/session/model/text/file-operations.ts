import { getString } from '../../jsonl/edit/json.ts';
import type { FileLists } from './format-conversation.ts';
import type { SpokenMessage } from './summarizer.ts';

/** The files that tool calls name, by what was done to them. */
export interface FileOperations {
  readonly read: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
  readonly edited: ReadonlySet<string>;
}

/** The tools of an agent whose calls name files. */
export interface FileTools {
  /** The arguments that hold the path: the first that is there. */
  readonly keys: readonly string[];
  /** The names of the tools, with how each treats the file. */
  readonly operations: ReadonlyMap<string, keyof FileOperations>;
}

/** Collects the files that calls of these tools name. */
export function collectFileOperations(
  messages: readonly SpokenMessage[],
  { keys, operations }: FileTools,
): FileOperations {
  const files = { read: new Set<string>(), written: new Set<string>(), edited: new Set<string>() };
  for (const message of messages) {
    for (const { name, arguments: given } of message.role === 'assistant' ? message.calls : []) {
      const operation = operations.get(name);
      const [path] = keys.flatMap((key) => getString(given, key) ?? []);
      if (operation && path) files[operation].add(path);
    }
  }
  return files;
}

export function toFileLists({ read, written, edited }: FileOperations): FileLists {
  const modified = new Set([...edited, ...written]);
  return {
    readFiles: [...read].filter((path) => !modified.has(path)).toSorted(),
    modifiedFiles: [...modified].toSorted(),
  };
}
