import { setFlagsFromString } from 'node:v8';

/**
 * Left alone, V8 lets the heap grow to several times of what lives in it. A batch tool runs beside
 * other work, on machines of any size: this keeps a run over gigabytes below 200 MB, for a tenth
 * more of CPU time. Less growth would cost far more where many sessions are kept in memory.
 * Node 20 to 24 know these flags.
 */
const MODEST = ['--heap-growing-percent=150', '--semi-space-growth-factor=1'] as const;
/** V8's own settings. */
const USUAL = ['--heap-growing-percent=0', '--semi-space-growth-factor=2'] as const;

/**
 * Sets how the heaps of the whole process grow. To be called on every thread when it has started:
 * V8 in Node 20 takes a growth factor below 2 back, for all threads, when it makes the heap of one
 * (`Heap::ConfigureHeap`).
 */
export function keepHeapsModest(): void {
  for (const flag of MODEST) setFlagsFromString(flag);
}

/**
 * Takes that back until it is asked for again. To be called before threads are started: V8 has a
 * cache of Node's own code, but uses it only with the flags it was made with, and without it a
 * thread takes twice as long to start.
 */
export function letHeapsGrow(): void {
  for (const flag of USUAL) setFlagsFromString(flag);
}
