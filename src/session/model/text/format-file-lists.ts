/** Sorted; a file that was modified is not listed as read. */
export interface FileLists {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

/** The lists as they stand at the end of a summary. */
export function formatFileLists({ readFiles, modifiedFiles }: FileLists): string {
  const lists = [
    ['read-files', readFiles],
    ['modified-files', modifiedFiles],
  ] as const;
  return lists
    .filter(([, files]) => files.length > 0)
    .map(([tag, files]) => `\n\n<${tag}>\n${files.join('\n')}\n</${tag}>`)
    .join('');
}
