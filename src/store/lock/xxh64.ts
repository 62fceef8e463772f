const MASK = (1n << 64n) - 1n;
const [FIRST, SECOND, THIRD, FOURTH, FIFTH] = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
] as const;
const ROTATIONS = [1n, 7n, 12n, 18n] as const;
const STRIPE_BYTES = 32;

function add(a: bigint, b: bigint): bigint {
  return (a + b) & MASK;
}

function multiply(a: bigint, b: bigint): bigint {
  return (a * b) & MASK;
}

function rotate(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK;
}

function mix(sum: bigint, lane: bigint): bigint {
  return multiply(rotate(add(sum, multiply(lane, SECOND)), 31n), FIRST);
}

/** Computes the XXH64 hash of some bytes, as https://github.com/Cyan4973/xxHash specifies it. */
export function hashXxh64(bytes: Buffer, seed: bigint): bigint {
  const { hash: begun, end } = hashStripes(bytes, seed);
  let hash = add(begun, BigInt(bytes.length));
  let at = end;
  for (; at + 8 <= bytes.length; at += 8) {
    const lane = mix(0n, bytes.readBigUInt64LE(at));
    hash = add(multiply(rotate(hash ^ lane, 27n), FIRST), FOURTH);
  }
  if (at + 4 <= bytes.length) {
    const lane = multiply(BigInt(bytes.readUInt32LE(at)), FIRST);
    hash = add(multiply(rotate(hash ^ lane, 23n), SECOND), THIRD);
    at += 4;
  }
  for (const byte of bytes.subarray(at)) {
    hash = multiply(rotate(hash ^ multiply(BigInt(byte), FIFTH), 11n), FIRST);
  }
  hash = multiply(hash ^ (hash >> 33n), SECOND);
  hash = multiply(hash ^ (hash >> 29n), THIRD);
  return hash ^ (hash >> 32n);
}

/** Hashes whole stripes; `end` is where the rest begins. */
function hashStripes(bytes: Buffer, seed: bigint): { readonly hash: bigint; readonly end: number } {
  if (bytes.length < STRIPE_BYTES) return { hash: add(seed, FIFTH), end: 0 };
  const begin = [add(add(seed, FIRST), SECOND), add(seed, SECOND), seed, (seed - FIRST) & MASK];
  const end = bytes.length - (bytes.length % STRIPE_BYTES);
  const sums = begin.map((sum, lane) => {
    let mixed = sum;
    for (let at = lane * 8; at < end; at += STRIPE_BYTES) {
      mixed = mix(mixed, bytes.readBigUInt64LE(at));
    }
    return mixed;
  });
  const rotated = sums.map((sum, lane) => rotate(sum, ROTATIONS[lane] ?? 0n));
  let hash = rotated.reduce(add);
  for (const sum of sums) hash = add(multiply(hash ^ mix(0n, sum), FIRST), FOURTH);
  return { hash, end };
}
