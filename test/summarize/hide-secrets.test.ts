import { expect, it } from 'vitest';
import { hideSecrets } from '../../src/summarize/hide-secrets.ts';

const KEY = 'sk-proj-0123456789';

it.each([
  [`Incorrect key: ${KEY}.`, 'Incorrect key: ***.'],
  [`${KEY} and ${KEY}`, '*** and ***'],
  ['cut off: sk-proj-01234', 'cut off: ***'],
  ['another: sk-proj-0xyz', 'another: ***xyz'],
  ['nothing of it: sk-pro', 'nothing of it: sk-pro'],
])('takes keys out of what others say: %s', (text, expected) => {
  expect(hideSecrets(text, [KEY])).toBe(expected);
});

it('leaves words alone that are too short to be keys, and what is not set', () => {
  expect(hideSecrets('a password of 1234567', ['1234567', undefined, ''])).toBe(
    'a password of 1234567',
  );
});

it('ends, whatever the key is', () => {
  expect(hideSecrets('*'.repeat(100), ['*'.repeat(9)])).not.toContain('*'.repeat(9));
});
