import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { ALNUM, chars, DIGITS, HEX, LOWER, UPNUM } from './made-up.ts';
import { redactText } from './redact-text.ts';

const COUNT = 16;

const toCode = (seed: string): string => `${chars(seed, 5, HEX)}-${chars(`${seed}b`, 5, HEX)}`;

/** Codes as services make them. */
const MAKERS: Readonly<Record<string, (seed: string) => string>> = {
  'groups of hexadecimal': toCode,
  hexadecimal: (seed) => chars(seed, 16, HEX),
  'long hexadecimal': (seed) => chars(seed, 64, HEX),
  digits: (seed) => chars(seed, 8, DIGITS),
  'groups of digits': (seed) => `${chars(seed, 4, DIGITS)} ${chars(`${seed}b`, 4, DIGITS)}`,
  'capital letters and digits': (seed) =>
    ['a', 'b', 'c'].map((one) => chars(seed + one, 4, UPNUM)).join('-'),
  'letters and digits': (seed) => `${chars(seed, 9, LOWER + DIGITS)}7`,
  'one of all letters': (seed) => `${chars(seed, 19, ALNUM)}4`,
};

const LAYOUTS: Readonly<Record<string, (codes: readonly string[]) => string>> = {
  lines: (codes) => `Recovery codes:\n${codes.join('\n')}`,
  'lines below an empty one': (codes) => `Recovery codes:\n\n  ${codes.join('\n  ')}`,
  'two columns': (codes) =>
    `Backup codes:\n${codes.map((code, at) => code + (at % 2 === 0 ? '    ' : '\n')).join('')}`,
  'a numbered list': (codes) =>
    `Backup codes:\n${codes.map((code, at) => `${at + 1}. ${code}`).join('\n')}`,
  'a listing': (codes) =>
    `     1→Recovery codes:\n${codes.map((code, at) => `    ${at + 2}→${code}`).join('\n')}`,
  'a list of Markdown': (codes) =>
    `Recovery codes:\n\n${codes.map((code) => `- \`${code}\``).join('\n')}`,
  'a block of code': (codes) => `Your recovery codes:\n\`\`\`\n${codes.join('\n')}\n\`\`\``,
  JSON: (codes) => JSON.stringify({ backupCodes: codes }),
  'indented JSON': (codes) => JSON.stringify({ a: { b: { recovery_codes: codes } } }, null, 4),
  YAML: (codes) => `recovery_codes:\n${codes.map((code) => `    - "${code}"`).join('\n')}`,
  'a page': (codes) =>
    `<h2>Recovery codes</h2>\n<ul>\n${codes.map((code) => `  <li><code>${code}</code></li>`).join('\n')}`,
  'a table': (codes) =>
    `| # | Recovery code |\n|---|---|\n${codes.map((code, at) => `| ${at + 1} | ${code} |`).join('\n')}`,
  'a box': (codes) => `╭─ Recovery codes ─╮\n${codes.map((code) => `│ ${code} │`).join('\n')}`,
  'a line': (codes) => `Backup codes: ${codes.join(', ')}`,
};

it.each(Object.keys(MAKERS))('finds all recovery codes of a list: %s', async (kind) => {
  const make = MAKERS[kind] ?? String;
  for (const [name, lay] of Object.entries(LAYOUTS)) {
    const codes = Array.from({ length: COUNT }, (_, at) => make(`${kind}${name}${at}`));
    const safe = await redactText(`see\n${lay(codes)}\nSave them.`);
    expect([name, codes.filter((code) => safe.includes(code))]).toEqual([name, []]);
  }
});

it.each(['recovery_codes', 'backupCodes', 'scratch-codes'])(
  'finds all codes in the member %s',
  async (name) => {
    const codes = Array.from({ length: COUNT }, (_, at) => toCode(String(at)));
    const payload = { input: { [name]: codes } };
    const safe = JSON.stringify(await new Redactor(detectSecrets, []).redact(payload, 1));
    expect(codes.filter((code) => safe.includes(code))).toEqual([]);
  },
);

it.each([
  'Recovery codes are stored in the vault2 table',
  'backup codes for user42 were rotated; the recovery codes feature (v2) adds 10 codes',
  "generateBackupCodes(count = 10, length8 = 12); test('recovery codes', async () => page1)",
  'backup codes table: CREATE TABLE backup_codes (id uuid, code varchar(16), user_id int4)',
  '"recovery_codes": [],\n"version": "1.2.3", "node20": true; recoveryCodes: string[]; sha1',
])('takes no words behind the name of codes for one: %s', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it.each([
  'pin',
  'PIN',
  'userPin',
  'otp',
  'otp_code',
  'totp',
  'smsCode',
  'verificationCode',
  'mfa_code',
])('finds a number that opens something in the member %s', async (name) => {
  for (const code of ['493021', '739-182']) {
    const safe = await new Redactor(detectSecrets, []).redact({ input: { [name]: code } }, 1);
    expect(JSON.stringify(safe)).not.toContain(code);
  }
});

it.each(['pinCode', 'one_time_code', 'oneTimeCode', 'twoFactorCode', 'totp_code'])(
  'finds a number that opens something behind %s',
  async (name) => {
    for (const form of ['*: 493021', '*=493021', '{"*": "493021"}'])
      expect(await redactText(form.replace('*', name))).not.toContain('493021');
  },
);

it('takes no other number for one that opens something', async () => {
  const payload = { pin: 'GPIO17', spin: '4930', code: '1234', pinned: '2024', error_code: '4040' };
  expect(await new Redactor(detectSecrets, []).redact(payload, 1)).toBe(payload);
});
