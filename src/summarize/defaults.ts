/** The context window of a model that is not known, in tokens. */
export const WINDOW_TOKENS = 128_000;
/** The time for one answer. */
export const TIMEOUT_MINUTES = 5;
/** How many requests an endpoint gets at once. */
export const REQUESTS = 4;
