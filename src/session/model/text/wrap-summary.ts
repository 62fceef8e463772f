/** The texts before and after a summary, as in pi 1.6.0: the second ends without a line break. */
const WRAPPERS = {
  compaction: [
    'The conversation history before this point was compacted into the following summary:\n\n<summary>\n',
    '\n</summary>',
  ],
  branch: [
    'The following is a summary of a branch that this conversation came back from:\n\n<summary>\n',
    '</summary>',
  ],
} as const;

/** A summary as the model is shown it: of what came before, or of a branch that was left. */
export function wrapSummary(kind: keyof typeof WRAPPERS, text: string): string {
  const [before, after] = WRAPPERS[kind];
  return before + text + after;
}
