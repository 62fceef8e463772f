/**
 * The databases in which Codex 0.171 has threads, and the turns of their files. The name and the version make
 * that of the file, such as `state_5.sqlite`.
 */
export const STATE = { name: 'state', version: 5 } as const;
export const HISTORY = { name: 'thread_history', version: 1 } as const;

export const THREADS = 'threads';
/** The table of the turns of files, and that of how much of each file they cover. */
export const TURNS = 'thread_turns';
export const PROJECTION = 'thread_history_projection_state';
