/** Odd, so that no two numbers become the same. */
const FACTOR: u64 = 0x1b_8735_93cc_9e2d;

/**
 * Computes a number of bytes that is another one for other bytes, but for one case in four thousand million. Four
 * sums of every fourth word wait for no other.
 */
export function hash(start: usize, end: usize): u32 {
  let a: u64 = (end - start) as u64;
  let b: u64 = 1;
  let c: u64 = 2;
  let d: u64 = 3;
  let at = start;
  for (; at + 32 <= end; at += 32) {
    a = mix(a, load<u64>(at));
    b = mix(b, load<u64>(at, 8));
    c = mix(c, load<u64>(at, 16));
    d = mix(d, load<u64>(at, 24));
  }
  for (; at < end; at += 1) a = mix(a, load<u8>(at) as u64);
  const sum = mix(mix(mix(mix(a, b), c), d), 0);
  return (sum >> 32) as u32;
}

function mix(sum: u64, word: u64): u64 {
  return rotr<u64>((sum ^ word) * FACTOR, 29);
}
