import type { FileLists } from './format-conversation.ts';

/** The files that tool calls name, by what was done to them. */
export interface FileOperations {
  readonly read: ReadonlySet<string>;
  readonly written: ReadonlySet<string>;
  readonly edited: ReadonlySet<string>;
}

export function toFileLists({ read, written, edited }: FileOperations): FileLists {
  const modified = new Set([...edited, ...written]);
  return {
    readFiles: [...read].filter((path) => !modified.has(path)).toSorted(),
    modifiedFiles: [...modified].toSorted(),
  };
}
