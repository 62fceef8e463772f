/** How much larger the larger of two inputs is. */
const FACTOR = 8;
/** What grows with the square takes FACTOR times as much, and more; this is between the two. */
const LIMIT = FACTOR * 3;
/**
 * Collections of garbage and compilers take time of the process, too, for as long as tens of milliseconds:
 * what takes less counts as this, and what stays over the limit is measured for longer than these last.
 */
const LEAST_MS = 5;
const TRIES = 10;

/**
 * Whether the time of some work grows as its input does: the work is given inputs of two sizes, and
 * the processor time of the two is compared, so that neither the machine nor its load matters.
 */
export async function isProportional<T>(
  size: number,
  makeInput: (size: number) => T,
  work: (input: T) => unknown,
): Promise<boolean> {
  const inputs = { few: makeInput(size), many: makeInput(size * FACTOR) };
  let [few, many] = [Infinity, Infinity];
  for (let tried = 0; tried < TRIES; tried += 1) {
    few = Math.min(few, await measure(work, inputs.few));
    many = Math.min(many, await measure(work, inputs.many));
    if (many < Math.max(few, LEAST_MS) * LIMIT) return true;
  }
  return false;
}

/** Processor time of this process, in milliseconds. */
async function measure<T>(work: (input: T) => unknown, input: T): Promise<number> {
  const before = process.cpuUsage();
  await work(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
