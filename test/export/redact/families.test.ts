import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { FAMILIES, VALUES } from './families/every-family.ts';
import { GIVEN } from './families/given.ts';

const given = GIVEN.map(({ programs, args }) => {
  const forms = programs.flatMap((program) => args.map((arg) => `${program} ${arg}`));
  return [programs.join(' '), forms] as const;
});

it.each([...FAMILIES, ...given])('finds secrets of any shape in %s', async (_family, forms) => {
  const shown: string[] = [];
  for (const form of forms) {
    for (const [shape, make] of Object.entries(VALUES)) {
      const secret = make(form);
      const text = `see\n${form.replaceAll('*', () => secret)}\nthere`;
      const safe = JSON.stringify(await new Redactor(detectSecrets, []).redact({ text }, 1));
      const halves = [secret.slice(0, 7), secret.slice(-7)];
      if (halves.some((half) => safe.includes(half))) shown.push(`${shape}: ${text}`);
    }
  }
  expect(shown).toEqual([]);
});
