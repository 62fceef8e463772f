import { createHash } from 'node:crypto';
import { SEED } from './runs.ts';

/** A whole number below `count`: for the same seed and name always the same. */
export function pick(count: number, name: string): number {
  return createHash('sha256').update(`${SEED} ${name}`).digest().readUInt32LE() % count;
}
