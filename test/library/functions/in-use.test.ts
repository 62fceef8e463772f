import { copyFileSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compactSession, migrateSession, reduceSession } from '../../../src/index.ts';
import { assistant, toSession, user } from '../../session-lines.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const IMAGE = Buffer.alloc(30_000, 1).toString('base64');
const LOOK = user([
  { type: 'text', text: 'Fix the first bug in src/index.ts, then run the tests. '.repeat(60) },
  { type: 'image', data: IMAGE, mimeType: 'image/png' },
]);
const LINES = toSession([LOOK, assistant('Done. '.repeat(500)), LOOK, assistant('Done.')]);
const summarizer = { summarize: async () => ({ text: 'It was fixed.' }) };
const settings = { enabled: true, reserveTokens: 100, keepRecentTokens: 10 };

it.each([
  ['migrateSession', migrateSession, {}, [{ ...LINES[0], version: 2 }, ...LINES.slice(1)]],
  [
    'compactSession',
    compactSession,
    { force: true, settingsFor: async () => settings, summarizer },
    LINES,
  ],
  ['reduceSession', reduceSession, { images: 'drop' }, LINES],
] as const)(
  '%s skips a session that was used just now, unless the caller allows it',
  async (_, change, options, lines) => {
    const dir = await makeTempDir();
    await writeFiles(dir, { 's.jsonl': toJsonl(lines) });
    const path = join(dir, 's.jsonl');
    const run = async (more: object) => {
      const result = await change(path, { ...options, ...more });
      return 'action' in result ? result.action : undefined;
    };
    const before = readFileSync(path);
    expect(await run({ apply: true })).toBe('skip');
    expect(await run({})).toBe('skip');
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(await run({ findUse: () => undefined })).not.toBe('skip');
    utimesSync(path, 1.76e9, 1.76e9);
    expect(await run({ apply: true })).not.toBe('skip');
    expect(readFileSync(path).equals(before)).toBe(false);
  },
);

it.each([
  ['compactSession', compactSession, { force: true }],
  ['reduceSession', reduceSession, { images: 'drop' }],
] as const)(
  '%s skips a session that its agent would not open, as the command does',
  async (_, change, options) => {
    const path = join(await makeTempDir(), 'torn.jsonl');
    const torn = '../../fixtures/neovate/broken-torn-last-line.jsonl';
    copyFileSync(join(import.meta.dirname, torn), path);
    const before = readFileSync(path);
    const given = { ...options, apply: true, findUse: () => undefined };
    expect(await change(path, given)).toMatchObject({
      action: 'skip',
      reasons: [expect.stringContaining('Neovate does not open it')],
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  },
);
