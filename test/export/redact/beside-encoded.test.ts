import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeKey } from './kinds.ts';
import { redact } from './redact-text.ts';

const KEY = makeKey('beside encoded');
const ENTRY = `[a]\r\n"DefaultPassword"="kTuq82xWvb1q"\r\n`;
const WORDS = `${KEY} and some more words, in lines that are as long as base64 breaks them`;

/** Lines that are encoded, and may be the whole of a text or its end. */
const ENCODED: Readonly<Record<string, string>> = {
  'a key in base64': encode(KEY),
  'a key in hexadecimal': Buffer.from(`see ${KEY}`).toString('hex').slice(0, 76),
  'wrapped base64': encode(WORDS).replaceAll(/.{60}/g, '$&\n'),
  'base64 of UTF-16': encode(ENTRY, 'utf16le'),
  'wrapped base64 of UTF-16': encode(ENTRY, 'utf16le').replaceAll(/.{76}/g, '$&\n'),
};

/** Checksums as programs print them, many of each: a byte that is a letter may touch what is beside it. */
const SUMS: Readonly<Record<string, (seed: string) => string>> = {
  'SHA-256': (seed) => sum(seed),
  'SHA-1': (seed) => createHash('sha1').update(seed).digest('hex'),
  'digest of an image': (seed) => `sha256:${sum(seed)}`,
  'two of SHA-256': (seed) => `${sum(seed)}\n${sum(`${seed}2`)}`,
  'words in hexadecimal': (seed) => Buffer.from(`just words (${seed}) in a line`).toString('hex'),
  'base64 without padding': (seed) => encode(`${sum(seed).slice(0, 45)}~`).replaceAll('=', ''),
};

it.each(Object.keys(ENCODED))(
  'finds %s below and above a line that is encoded, too',
  async (kind) => {
    const encoded = ENCODED[kind] ?? '';
    const shown: string[] = [];
    for (const [name, make] of Object.entries(SUMS)) {
      for (let seed = 0; seed < 15; seed += 1) {
        for (const [text, place] of [
          [`${make(`${seed}`)}\n${encoded}`, 'below'],
          [`${encoded}\n${make(`${seed}`)}`, 'above'],
        ] as const) {
          const safe = await redact(`see\n${text}\nthere`);
          if (safe.includes(encoded) || !safe.includes('[REDACTED:'))
            shown.push(`${place} ${name} ${seed}`);
        }
      }
    }
    expect(shown).toEqual([]);
  },
);

function sum(seed: string): string {
  return createHash('sha256').update(seed).digest('hex');
}

function encode(text: string, as: BufferEncoding = 'utf8'): string {
  return Buffer.from(text, as).toString('base64');
}
