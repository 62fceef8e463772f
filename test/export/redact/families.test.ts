import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { redactText } from './redact-text.ts';
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

const { 'letters and digits': makeValue = String } = VALUES;
/** Programs with a second secret behind, which may be anything. */
const HAS_MORE = /^(?:smbclient|curl --pass)/;

it.each(FAMILIES)('takes no other members of JSON out beside a secret in %s', async (_, forms) => {
  const lost: string[] = [];
  for (const form of forms.filter((one) => !HAS_MORE.test(one))) {
    const inJson = JSON.stringify(form.replaceAll('*', () => makeValue(form)));
    const before = '{"alpha":"first one","zeta":';
    const behind = '","beta":"second two","gamma":3}';
    for (const write of [String, (text: string) => JSON.stringify(text).slice(1, -1)]) {
      const text = write(`${before}${inJson.slice(0, -1)}${behind}`);
      const safe = await redactText(text);
      const whole = [before, behind].map((one) => JSON.stringify(write(one)).slice(1, -1));
      if (!whole.every((one) => safe.includes(one))) lost.push(safe);
    }
  }
  expect(lost).toEqual([]);
});
