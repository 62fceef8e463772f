/**
 * How much is read at once, in bytes: as much as stays in a core's own cache while it is looked at.
 * Twice as much took three times as long to read.
 */
export const CHUNK_BYTES = 128 * 1024;
