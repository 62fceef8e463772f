import { formatCounted, formatSize } from '../text/numbers.ts';
import type { ForkResult } from './fork-result.ts';

/** Formats the line below the paths: number and size of the forks. */
export function formatForkFooter(forks: readonly ForkResult[], dryRun: boolean): string {
  const bytes = forks.reduce((sum, { bytesAfter }) => sum + bytesAfter, 0);
  const size = forks.length > 0 ? `, ${formatSize(bytes)}` : '';
  const sources = new Set(forks.map(({ source }) => source)).size;
  const made =
    sources === forks.length
      ? formatCounted(sources, 'session')
      : `${formatCounted(sources, 'session')} into ${forks.length}`;
  return dryRun ? `Would fork ${made}${size}. Nothing was written.\n` : `Forked ${made}${size}.\n`;
}
