import type { Call, Fault } from './fault-layer.mjs';

/** One way in which a disk fails. */
export interface FaultMode {
  readonly name: string;
  /** From that call on, and not only once. */
  readonly lasts: boolean;
  /** What becomes of a call that it concerns. */
  readonly fail: (call: Call) => Fault | undefined;
}

const WRITES = new Set(['write', 'writev', 'writeFile', 'appendFile']);
const READS = new Set(['read']);
const NAMES = new Set(['mkdir', 'link', 'rename', 'copyFile', 'symlink']);
export const REMOVALS = new Set(['unlink', 'rm', 'rmdir']);
const ATTRIBUTES = new Set(['fchmod', 'chmod', 'fchown', 'futimes', 'utimes', 'ftruncate']);
const SYNCS = new Set(['fsync', 'fdatasync']);
const DESCRIPTORS = new Set(['close', 'fstat', ...READS, ...WRITES, ...SYNCS]);
const OPENS = new Set(['open', 'opendir', 'readdir', 'readFile']);

function isChange({ name, creates }: Call): boolean {
  const sets = [WRITES, NAMES, REMOVALS, ATTRIBUTES];
  return creates || sets.some((names) => names.has(name));
}

/** Whether the disk may be another after this call, or may lose less. */
export function changesOrFlushes(call: Call): boolean {
  return isChange(call) || SYNCS.has(call.name);
}

const failIo = ({ name }: Call): Fault => ({ code: 'EIO', torn: WRITES.has(name) });

function failFull({ name, creates }: Call): Fault | undefined {
  if (WRITES.has(name)) return { code: 'ENOSPC', torn: true };
  return creates || NAMES.has(name) || SYNCS.has(name) ? { code: 'ENOSPC' } : undefined;
}

const failReadOnly = (call: Call): Fault | undefined =>
  isChange(call) ? { code: 'EROFS' } : undefined;

/** Every call once, with every error that it may have. */
export const ONCE: readonly FaultMode[] = [
  { name: 'an input/output error', lasts: false, fail: failIo },
  { name: 'a full disk', lasts: false, fail: failFull },
  {
    name: 'no permission',
    lasts: false,
    fail: ({ name }) => (DESCRIPTORS.has(name) ? undefined : { code: 'EACCES' }),
  },
  {
    name: 'too many open files',
    lasts: false,
    fail: ({ name }) => (OPENS.has(name) ? { code: 'EMFILE' } : undefined),
  },
  {
    name: 'a short read or write',
    lasts: false,
    fail: ({ name }) =>
      name === 'read' || name === 'write' ? { code: 'EIO', short: true } : undefined,
  },
  {
    name: 'no hard links',
    lasts: false,
    fail: ({ name }) => (name === 'link' ? { code: 'EPERM' } : undefined),
  },
];

/** From some call on, whatever is tried to clean up too. */
export const FOR_GOOD: readonly FaultMode[] = [
  { name: 'a disk that is gone', lasts: true, fail: failIo },
  { name: 'a disk that stays full', lasts: true, fail: failFull },
  { name: 'a disk that became read-only', lasts: true, fail: failReadOnly },
];
