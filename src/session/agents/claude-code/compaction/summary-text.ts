import { POINTER } from '../format.ts';

const OPENING =
  'This session is being continued from a previous conversation that ran out of context. The summary ' +
  'below covers the earlier portion of the conversation.';
const HEADING = '\nSummary:\n';
const TRANSCRIPT =
  'If you need specific details from before compaction (like exact code snippets, error messages, or ' +
  `content you generated), ${POINTER}`;
const GO_ON =
  'Continue the conversation from where it left off without asking the user any further questions. ' +
  'Resume directly — do not acknowledge the summary, do not recap what was happening, do not preface ' +
  'with "I\'ll continue" or similar. Pick up the last task as if the break never happened.';
const KEPT =
  'The messages after this summary are the most recent messages from before compaction, kept verbatim. ' +
  'The summary was written without seeing them, so something it says has not happened yet may already ' +
  'have happened in them.';

/** A summary as the client (2.1.332) puts it before the model. */
export function toSummaryText(summary: string, path: string, keeps: boolean): string {
  const end = `${TRANSCRIPT}${path}\n${GO_ON}${keeps ? `\n\n${KEPT}` : ''}`;
  return `${OPENING}\n${HEADING}${summary}\n\n${end}`;
}

/** The summary itself, of any release. */
export function readSummary(text: string): string {
  const start = text.indexOf(HEADING);
  const end = text.lastIndexOf(`\n\n${TRANSCRIPT}`);
  const from = start < 0 ? 0 : start + HEADING.length;
  return text.slice(from, end < from ? undefined : end).trim();
}
