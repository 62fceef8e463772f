import { SummaryError } from '../../session/model/text/summarizer.ts';

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;

/** Another attempt may go better. */
export class RetryableError extends Error {
  override readonly name = 'RetryableError';
  /** Seconds or a date, as the endpoint asked for; undefined when it did not. */
  readonly retryAfter: string | undefined;

  constructor(message: string, retryAfter: string | undefined) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/**
 * Ours, since p-retry waits by a formula of its own, and here the endpoint says how long.
 * Tries up to five times, and waits twice as long each time, or as long as the endpoint asks.
 * @throws SummaryError with the last reason.
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  sleep: (ms: number, signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof RetryableError)) throw error;
      const asked = toMilliseconds(error.retryAfter);
      if (tried === ATTEMPTS || asked > LONGEST_WAIT_MS) {
        const times = tried === 1 ? 'once' : `${tried} times`;
        throw new SummaryError(`${error.message} (tried ${times})`, { cause: error });
      }
      await sleep(Math.max(asked, FIRST_WAIT_MS * 2 ** (tried - 1)), signal);
    }
  }
}

/** 0 where nothing, or nothing sensible, was asked for. */
function toMilliseconds(retryAfter = '0'): number {
  const seconds = Number(retryAfter);
  const wait = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1000;
  return Number.isFinite(wait) && wait > 0 ? wait : 0;
}
