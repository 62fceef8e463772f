import { describe, expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { KINDS } from './kinds.ts';

describe('redaction', () => {
  it.each(KINDS)('finds $kind', async ({ text, core }) => {
    const safe = await new Redactor(detectSecrets, []).redact({ text: `see\n${text}\nthere` }, 1);
    expect(safe['text']).not.toContain(core);
  });
  it('knows a hundred kinds', () => {
    expect(KINDS.length).toBeGreaterThanOrEqual(100);
  });
});
