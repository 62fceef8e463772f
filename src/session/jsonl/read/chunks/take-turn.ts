import { setImmediate } from 'node:timers/promises';

/** How much is read at most before signals and timers have their turn: some 20 milliseconds. */
const BYTES_PER_TURN = 2 * 1024 * 1024;
/** The bytes that reading the smallest file counts as. */
const BYTES_PER_CALL = 16 * 1024;

let bytesRead = 0;

/**
 * Lets everything else in the process continue from time to time, over all files together; call this
 * after each synchronous read of this many bytes, and wait if there is something to wait for.
 * @throws the reason of the signal, if that has been aborted.
 */
export function takeTurn(
  bytes: number,
  signal: AbortSignal | undefined,
): Promise<void> | undefined {
  bytesRead += bytes + BYTES_PER_CALL;
  if (bytesRead < BYTES_PER_TURN) return undefined;
  bytesRead = 0;
  return letOthersContinue(signal);
}

async function letOthersContinue(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
