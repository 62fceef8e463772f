import type { CompactionOutcome } from '../../session/compact/compact-session.ts';
import { toPlainLine } from '../text/escape.ts';
import { formatPath } from '../text/paths.ts';
import type { Style } from '../text/style.ts';

const MAX_LINE = 10_000;

/** The summaries in full, each below the path of its session; safe for a terminal. */
export function* formatSummaries(
  outcomes: readonly CompactionOutcome[],
  home: string,
  style: Style,
): Generator<string> {
  for (const { path, compaction } of outcomes) {
    if (!compaction?.summary) continue;
    yield `${style.bold(formatPath(path, home))}\n\n`;
    for (const line of compaction.summary.split('\n')) yield `${toPlainLine(line, MAX_LINE)}\n`;
    yield '\n';
  }
}
