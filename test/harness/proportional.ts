/** How much larger the larger of two inputs is. */
const FACTOR = 8;
/** Noise of a busy machine; what grows with the square takes FACTOR times as much, and more. */
const SLACK = 3;
const TRIES = 3;
/** Less than this cannot be measured. */
const LEAST_MS = 1;

/**
 * Whether the time of some work grows as its input does: the work is given inputs of two sizes, and
 * the processor time of the two is compared, so that neither the machine nor its load matters.
 */
export async function isProportional<T>(
  size: number,
  makeInput: (size: number) => T,
  work: (input: T) => unknown,
): Promise<boolean> {
  const [few, many] = [makeInput(size), makeInput(size * FACTOR)];
  let ratio = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < TRIES && ratio >= FACTOR * SLACK; tried += 1) {
    const short = await measure(work, few);
    ratio = Math.min(ratio, (await measure(work, many)) / Math.max(short, LEAST_MS));
  }
  return ratio < FACTOR * SLACK;
}

/** Processor time of this process, in milliseconds. */
async function measure<T>(work: (input: T) => unknown, input: T): Promise<number> {
  const before = process.cpuUsage();
  await work(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
