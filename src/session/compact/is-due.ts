import type { CompactionDialect, CompactionSettings } from '../dialect/compaction.ts';

/** Returns whether a context has outgrown a model with a window of this many tokens. */
export function isDue(
  dialect: Pick<CompactionDialect, 'isOutgrown'>,
  tokens: number,
  contextWindow: number,
  { enabled, reserveTokens }: Pick<CompactionSettings, 'enabled' | 'reserveTokens'>,
): boolean {
  if (!enabled) return false;
  return reserveTokens === undefined
    ? dialect.isOutgrown(tokens, contextWindow)
    : tokens > contextWindow - reserveTokens;
}
