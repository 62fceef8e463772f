import { setFlagsFromString } from 'node:v8';

/** A flag as coppice sets it, and as V8 has it by itself. */
interface Setting {
  readonly own: string;
  readonly usual: string;
}

/**
 * V8 lets the heap grow by default to several times of what lives in it. A batch tool runs beside other
 * work, on machines of any size: this keeps a run over gigabytes below 200 MB, for a tenth more of CPU time.
 * Less growth would cost far more where many sessions are kept in memory. Node 20 to 24 know these flags.
 */
const HEAP_GROWTH: Setting = {
  own: '--heap-growing-percent=150',
  usual: '--heap-growing-percent=0',
};
const YOUNG_GROWTH: Setting = {
  own: '--semi-space-growth-factor=1',
  usual: '--semi-space-growth-factor=2',
};
/** Growth for a task that asks to save memory. */
const LITTLE_GROWTH = '--heap-growing-percent=60';

/**
 * V8 collects young objects on several threads by default, and waits for all of them: a megabyte is collected
 * sooner on one than on threads that share the cores with ours.
 */
const COLLECTING: readonly Setting[] = [
  { own: '--no-parallel-scavenge', usual: '--parallel-scavenge' },
];

/**
 * Node 20 optimizes functions early, on threads of V8's own, and for each of our threads again: on
 * two cores that took from a listing as much as its second thread gave. In bytes of bytecode that
 * are run before. Later releases wait longer by themselves, and do not know this flag.
 */
const OPTIMIZING: readonly Setting[] = process.versions.v8.startsWith('11.')
  ? [{ own: '--interrupt-budget=135168', usual: '--interrupt-budget=67584' }]
  : [];

const SETTINGS = [HEAP_GROWTH, YOUNG_GROWTH, ...COLLECTING, ...OPTIMIZING];

/**
 * Sets how V8 runs while files are worked through. To be called once before a command runs, and on every
 * thread when it has started, though it is about the whole process: V8 in Node 20 takes a growth factor
 * below 2 back when it makes the heap of a thread (`Heap::ConfigureHeap`).
 */
export function useOwnV8Settings({
  savesMemory = false,
}: { readonly savesMemory?: boolean | undefined } = {}): void {
  for (const { own } of SETTINGS) setFlagsFromString(own);
  if (savesMemory) setFlagsFromString(LITTLE_GROWTH);
}

/**
 * Lets the space for young objects grow, until threads start or files are read: where facts of many sessions are kept
 * and compared on one thread, V8 would copy each of them more often.
 */
export function letYoungSpaceGrow(): void {
  setFlagsFromString(YOUNG_GROWTH.usual);
}

/**
 * Takes that back until a thread that has started asks for it again. To be called before threads start: V8 has a
 * cache of Node's own code, but uses it only with the flags it was made with, and without it a
 * thread takes twice as long to start.
 */
export function useUsualV8Settings(): void {
  for (const { usual } of SETTINGS) setFlagsFromString(usual);
}
