import type { RepairDialect } from '../../../dialect/dialect.ts';
import { describeSpread } from '../index/spread-records.ts';

/** A repair goes by lines, and must not where the client reads a record that stands on several of them. */
export const repairing: RepairDialect = {
  findObstacle: (session) => Promise.resolve(describeSpread(session)),
};
