import type { CompactionOutcome } from '../../session/compact/compact-session.ts';
import { toPlainLine } from '../text/escape.ts';
import { formatPath } from '../text/paths.ts';
import type { Style } from '../text/style.ts';

const MAX_LINE = 10_000;
const LATER = 'Made with --apply: a preview asks neither endpoint nor program.';

/** The summaries in full, or why there is none yet, each below the path of its session; safe for a terminal. */
export function* formatSummaries(
  outcomes: readonly CompactionOutcome[],
  home: string,
  style: Style,
): Generator<string> {
  for (const { path, action, compaction } of outcomes) {
    const summary = compaction?.summary ?? (action === 'compact' ? LATER : undefined);
    if (!summary) continue;
    yield `${style.bold(formatPath(path, home))}\n\n`;
    for (const line of summary.split('\n')) yield `${toPlainLine(line, MAX_LINE)}\n`;
    yield '\n';
  }
}
