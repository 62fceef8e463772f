import { setFlagsFromString } from 'node:v8';

interface Setting {
  readonly flag: string;
  readonly own: string;
  /** V8's own. */
  readonly usual: string;
}

/**
 * V8 lets the heap grow by default to several times of what lives in it. A batch tool runs beside other
 * work, on machines of any size: this keeps a run over gigabytes below 200 MB, for a tenth more of CPU time.
 * Less growth would cost far more where many sessions are kept in memory. Node 20 to 24 know these flags.
 */
const HEAP: readonly Setting[] = [
  { flag: '--heap-growing-percent', own: '150', usual: '0' },
  { flag: '--semi-space-growth-factor', own: '1', usual: '2' },
];
/** The growth for a task that asks to save memory. */
const LITTLE_GROWTH = '60';

/**
 * Node 20 optimizes functions early, on threads of V8's own, and for each of our threads again: on
 * two cores that took from a listing as much as its second thread gave. In bytes of bytecode that
 * are run before. Later releases wait longer by themselves, and do not know this flag.
 */
const OPTIMIZING: readonly Setting[] = process.versions.v8.startsWith('11.')
  ? [{ flag: '--interrupt-budget', own: '135168', usual: '67584' }]
  : [];

const SETTINGS = [...HEAP, ...OPTIMIZING];

/**
 * Sets how V8 runs while files are worked through. To be called once before a command runs, and on every
 * thread when it has started, though it is about the whole process: V8 in Node 20 takes a growth factor
 * below 2 back when it makes the heap of a thread (`Heap::ConfigureHeap`).
 */
export function useOwnV8Settings({
  savesMemory = false,
}: { readonly savesMemory?: boolean | undefined } = {}): void {
  for (const { flag, own } of SETTINGS) setFlagsFromString(`${flag}=${own}`);
  if (savesMemory) setFlagsFromString(`--heap-growing-percent=${LITTLE_GROWTH}`);
}

/**
 * Takes that back until a thread that has started asks for it again. To be called before threads start: V8 has a
 * cache of Node's own code, but uses it only with the flags it was made with, and without it a
 * thread takes twice as long to start.
 */
export function useUsualV8Settings(): void {
  for (const { flag, usual } of SETTINGS) setFlagsFromString(`${flag}=${usual}`);
}
