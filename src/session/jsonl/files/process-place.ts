import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** The facts about the place of a process; empty where the system does not report them. */
export interface PlaceFacts {
  readonly host: string;
  /** An id that changes with each start of the machine, on Linux. */
  readonly boot: string;
  /**
   * The namespace of process ids, on Linux: containers of one machine number their processes independently.
   */
  readonly namespace: string;
}

/** Names the place in which a process id means one process; two machines may have the same name. */
export function toPlace({ host, boot, namespace }: PlaceFacts): string {
  const text = JSON.stringify([host, boot, namespace]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

let own: string | undefined;

/** The place of this process. */
export function getOwnPlace(): string {
  own ??= toPlace({
    host: hostname(),
    boot: orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: orEmpty(() => readlinkSync('/proc/self/ns/pid')),
  });
  return own;
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Returns whether there is a process of this id here; what cannot be looked up, as one of another user, counts. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
