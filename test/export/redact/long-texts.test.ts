import { describe, expect, it } from 'vitest';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { cutIntoParts } from '../../../src/export/redact/text/read-in-parts.ts';
import { getString } from '../../../src/session/jsonl/edit/json.ts';
import { chars } from './made-up.ts';

/** The length up to which a text is read at once. */
const MOST = 1024 * 1024;
const OVERLAP = 65_536;
const SECRET = 'DB_PASSWORD=kTuq82xWvb1q';
const ENCODED = Buffer.from(`the ${SECRET} of it\n`.repeat(60_000)).toString('base64');

function cut(text: string): readonly (readonly [start: number, end: number])[] {
  return [...cutIntoParts(text)];
}

describe('a text that is longer than what is read at once', () => {
  it.each([
    ['lines', 'a word of it\n'.repeat(250_000)],
    ['one word', 'x'.repeat(3_000_000)],
    ['characters of two halves', '😀'.repeat(1_500_000)],
    ['base64', ENCODED],
  ])('is cut into parts that overlap: %s', (_, text) => {
    const parts = cut(text);
    expect(parts.length).toBeGreaterThan(1);
    expect([parts[0]?.[0], parts.at(-1)?.[1]]).toEqual([0, text.length]);
    for (const [at, [start, end]] of parts.entries()) {
      expect(end - start).toBeLessThanOrEqual(MOST);
      const next = parts[at + 1]?.[0] ?? end - OVERLAP;
      expect(end - next).toBeGreaterThanOrEqual(OVERLAP);
      expect(next).toBeGreaterThan(start);
      expect(text.slice(start, end)).not.toMatch(/\p{Surrogate}/u);
    }
  });

  it('is cut at the ends of lines, and base64 where it can be read', () => {
    const lines = 'a word of it\n'.repeat(250_000);
    for (const [start] of cut(lines)) expect(lines.startsWith('a word', start)).toBe(true);
    for (const [start] of cut(`see: ${ENCODED}`).slice(1)) expect((start - 5) % 4).toBe(0);
  });

  it.each([0, 1, 2, 3])('is read whole in a part: a word behind %s more characters', (more) => {
    const text = `{"p":"${'p'.repeat(more)}","a":"${'x'.repeat(700_000)}","b":"${'y'.repeat(900_000)}"}`;
    const start = text.indexOf('y');
    expect(cut(text).some((part) => part[0] <= start && part[1] >= start + 900_000)).toBe(true);
  });

  it('is cut at the ends of lines in JSON', () => {
    const text = `{"a":"${'QUJDREVGR0hJSktMTU5P\\n'.repeat(100_000)}"}`;
    const starts = cut(text).flatMap(([start]) => (start === 0 ? [] : [start]));
    expect(starts.length).toBeGreaterThan(0);
    for (const start of starts) expect(text.slice(start - 2, start)).toBe('\\n');
  });

  it('shows no secret in base64 at the border of two parts', async () => {
    const encoded = Buffer.from(`${'of a word '.repeat(15_000)}${SECRET}\n`).toString('base64');
    const text = `{"a":"${'1,'.repeat(450_000)}","b":"${encoded}"}`;
    const safe = JSON.stringify(await new Redactor(detectSecrets, []).redact({ text }, 1));
    expect(safe).not.toContain(encoded.slice(-20));
  });

  it.each([
    [75, '\n'],
    [70, '\r\n'],
  ])('shows no secret in lines of base64 that are %s wide', async (width, end) => {
    const words = `${'of a word '.repeat(11_000)}${SECRET} ${'of a word '.repeat(11_000)}`;
    const encoded = Buffer.from(words).toString('base64');
    const at = encoded.length / 2;
    const lines = (encoded.match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(end);
    const behind = 'of a word\n'.repeat(20_000);
    for (const more of [0, 8, 16]) {
      const before = 'of a word\n'.repeat((MOST - lines.length / 2) / 10 + 2000 + more);
      const text = `${before}${end.slice(1)}${lines}\n${behind}`;
      const safe = await new Redactor(detectSecrets, []).redact({ text }, 1);
      expect((getString(safe, 'text') ?? encoded).replaceAll(end, '')).not.toContain(
        encoded.slice(at - 20, at + 20),
      );
    }
  });

  it('shows no secret at the border of two parts, nor elsewhere, and counts it once there', async () => {
    const words = 'of a word\n'.repeat(MOST / 10);
    const end = cut(words + words)[0]?.[1] ?? 0;
    const before = 'so, the password is\n';
    const text = [
      words.slice(0, end - before.length),
      before,
      'kTuq82xWvb1q\n',
      words.slice(0, 2000),
      'and kTuq82xWvb1q',
    ].join('');
    expect(cut(text)[0]).toEqual([0, text.indexOf('kTuq')]);
    const redactor = new Redactor(detectSecrets, []);
    const safe = JSON.stringify(await redactor.redact({ text }, 1));
    expect(safe).not.toContain('kTuq82xWvb1q');
    expect(redactor.redactions.map(({ count }) => count)).toEqual([2]);
  });

  it.each([40_000, 1_100_000])('shows no secret of %d characters', async (length) => {
    const secret = chars('long', length);
    const before = 'abc,def;12|'.repeat(Math.max(0, Math.ceil((1_000_000 - length * 0.9) / 11)));
    const redactor = new Redactor(detectSecrets, [secret]);
    const safe = await redactor.redact({ text: `${before};,${secret},` }, 1);
    expect(safe).toEqual({ text: `${before};,[REDACTED:secret-file],` });
  });

  it('remembers a token of an address beside 120,000 characters of keys', async () => {
    const redactor = new Redactor(detectSecrets, []);
    const keys = Array.from({ length: 3000 }, (_, at) => `AKIA${String(at).padStart(16, 'Q')}`);
    const tokens = Array.from(
      { length: 300 },
      (_, at) => `glpat-${`${at}aZ`.repeat(100).slice(0, 250)}`,
    );
    for (const [at, key] of [...tokens, ...keys].entries())
      await redactor.learn({ text: key }, at + 2);
    const url = 'https://conda.example.com/t/Qv81LmZp4Xd7RwJ29sKq53xT/main';
    await redactor.learn({ text: url }, 5000);
    const safe = await redactor.redact({ text: 'see Qv81LmZp4Xd7RwJ29sKq53xT' }, 1);
    expect(safe).toEqual({ text: 'see [REDACTED:url-token]' });
  });
});
