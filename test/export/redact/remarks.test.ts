import { expect, it } from 'vitest';
import { redact, VALUES } from './redact-text.ts';

it.each([
  'api_keys:\n  bob: ¤  # prod\n',
  'tokens:\n  ann: x\n  ci: "¤" # rotate in "May"\n',
  'passwords:\n  - ¤ # bob\n',
  'tokens: # all of them\n  bob: ¤\n',
  'secrets:   # of CI\n  - ¤\n',
  'Passwords:\n- bob: ¤ (old)\n',
  '[tokens] # of CI\nbob = "¤"\n',
  '[passwords] ; old\nbob = ¤\n',
])('finds a member with a remark behind it: %j', async (text) => {
  for (const value of VALUES)
    expect(await redact(`see\n${text.replace('¤', value)}there`)).not.toContain(value);
});
