import { describe, expect, it } from 'vitest';
import { mayHoldKey } from '../../../src/store/find/may-hold-key.ts';
import { isProportional } from '../../harness/proportional.ts';

// Put together here, so that nobody takes them for real ones.
const KEYS = [
  `sk-proj-${'a1'.repeat(20)}`,
  `ghp_${'Ab1'.repeat(12)}`,
  `AKIA${'Z2'.repeat(8)}`,
  `hf_${'aB'.repeat(17)}`,
  `eyJhbGciOiJIUzI1NiJ9.${'e30'.repeat(9)}.sig`,
  '-----BEGIN OPENSSH PRIVATE KEY-----',
  'postgres://app:hunter2@db/main',
  'password: hunter2',
  'API_KEY=short',
  'curl -s -u app:oPPl841ldqLT https://example.com',
  'mysql -phunter22 shop',
  'docker login --password-stdin --user=app:hunter2',
];

describe('text that may hold a key', () => {
  it.each(KEYS)('is seen: %s', (key) => {
    expect(mayHoldKey(`Please use ${key} for it`)).toBe(true);
  });

  it.each([
    '',
    '/home/u/.pi/agent/sessions/--home-u-app--/2026-03-02T10-11-12-345Z_0199a3f1-77aa-7bbb-8ccc-0123456789ab.jsonl',
    'anthropic/claude-opus-4-5-20251101',
    '2026-03-02T10:11:12.345Z',
    'Refactor auth module',
    'Why is src/session/agents/pi/format.ts so long?',
    'Fix test_login_flow_2.py on feature/2026-checkout-redesign-v2',
    'fork of 0199a3f1-77aa-7bbb-8ccc-0123456789ab',
    '日本語',
    'mkdir -p /tmp/x, then tar -u x.tar a',
  ])('and other text is not: %s', (text) => {
    expect(mayHoldKey(text)).toBe(false);
  });

  it.each(['passw', '://', '://a:', 'token ', 'a', '-', ': '])(
    'takes time in proportion: %s',
    async (piece) => {
      expect(
        await isProportional(50_000, (size) => piece.repeat(size / piece.length), mayHoldKey),
      ).toBe(true);
    },
  );
});
