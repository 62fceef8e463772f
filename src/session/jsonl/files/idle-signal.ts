/** Returns a signal that never aborts; a new one each time, since listeners would pile up on one for all. */
export function createIdleSignal(): AbortSignal {
  return new AbortController().signal;
}
