import type { RepairDialect } from '../../../dialect/dialect.ts';
import { formatNumber } from '../../../model/text/numbers.ts';
import type { ClaudeCodeSession } from '../index/index-session.ts';

/** A repair goes by lines, and must not where the client reads a record that stands on several of them. */
export const repairing: RepairDialect = {
  findObstacle({ spread }: ClaudeCodeSession) {
    if (spread === undefined) return Promise.resolve(undefined);
    const where = `line ${formatNumber(spread.line)} begins a record that stands on several lines`;
    return Promise.resolve(`${where}, which Claude Code reads: write it on one line first`);
  },
};
