import { createHash } from 'node:crypto';

export const HEX = '0123456789abcdef';
export const DIGITS = '0123456789';
export const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const LOWER = 'abcdefghijklmnopqrstuvwxyz';
export const ALNUM = UPPER + LOWER + DIGITS;
export const UPNUM = UPPER + DIGITS;

let salt = '';

/** Makes what `make` makes with other characters for each salt. */
export function withSalt(other: string, make: () => string): string {
  salt = other;
  try {
    return make();
  } finally {
    salt = '';
  }
}

/** Made up here, so that no key stands in this repository: random to the eye, the same in each run. */
export function chars(seed: string, length: number, alphabet: string = ALNUM): string {
  let made = '';
  for (let block = 0; made.length < length; block += 1) {
    const bytes = createHash('sha256').update(`${salt}${seed}/${block}`).digest();
    for (const byte of bytes) made += alphabet[byte % alphabet.length] ?? '';
  }
  return made.slice(0, length);
}

export function uuid(seed: string): string {
  const hex = chars(seed, 32, HEX);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');
export const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** A password. */
export const P = (seed: string): string =>
  `${chars(seed, 5)}-${chars(seed, 4, DIGITS)}x${chars(`${seed}2`, 5)}`;

/** Words as a wallet has them. */
export const words = (seed: string, count: number): string =>
  Array.from({ length: count }, (_, at) => chars(`${seed}${at}`, 3 + (at % 6), LOWER)).join(' ');
