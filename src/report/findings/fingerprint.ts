import { hash } from 'node:crypto';
import type { Finding } from '../../session/dialect/rule.ts';

/** The parts of a finding that are the same in the next run. */
export type Identity = Pick<Finding, 'rule' | 'entryId' | 'message'>;

/**
 * Names the findings of one file so that a later run can distinguish the old ones from the new: by rule
 * and entry, or message where there is no entry. Never by line or offset, which any repair moves.
 * Unique within the file; across files as long as `path` is.
 */
export class Fingerprints {
  readonly #path: string;
  readonly #counts = new Map<string, number>();

  constructor(path: string) {
    this.#path = path;
  }

  /** 32 hex digits. Depends on the findings before it only where they are alike. */
  next({ rule, entryId, message }: Identity): string {
    const subject = entryId === undefined ? { message } : { entryId };
    const identity = hash('sha256', JSON.stringify([this.#path, rule, subject])).slice(0, 32);
    const count = (this.#counts.get(identity) ?? 0) + 1;
    this.#counts.set(identity, count);
    return count === 1 ? identity : hash('sha256', `${identity}:${count}`).slice(0, 32);
  }
}
