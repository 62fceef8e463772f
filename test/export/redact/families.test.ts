import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { LAID_OUT } from './families/layouts.ts';
import { NAMED } from './families/names.ts';
import { OTHERS_LAID_OUT } from './families/others-laid-out.ts';
import { OTHERS } from './families/others.ts';
import { GIVEN_TO_PROGRAMS } from './families/programs.ts';
import { base64, chars, DIGITS, HEX, LOWER, UPPER, uuid } from './made-up.ts';

/** Values as people and programs make them, others for each form. */
const SHAPES: Readonly<Record<string, (seed: string) => string>> = {
  'letters and digits': (seed) =>
    [LOWER, UPPER, DIGITS, LOWER, UPPER, DIGITS, LOWER]
      .map((alphabet, index) => chars(`${seed}${index}`, 2, alphabet))
      .join(''),
  hexadecimal: (seed) => chars(seed, 32, HEX),
  'of a person': (seed) => `${['Sommer', 'Winter', 'Banana'][seed.length % 3] ?? ''}77!`,
  base64: (seed) => base64(`${chars(seed, 20)}~?`),
  uuid,
};

const families = Object.entries({
  ...NAMED,
  ...GIVEN_TO_PROGRAMS,
  ...LAID_OUT,
  ...OTHERS,
  ...OTHERS_LAID_OUT,
});

it.each(families)('finds secrets of any shape in %s', async (_family, forms) => {
  const shown: string[] = [];
  for (const form of forms) {
    for (const [shape, make] of Object.entries(SHAPES)) {
      const secret = make(form);
      const text = `see\n${form.replaceAll('*', () => secret)}\nthere`;
      const safe = JSON.stringify(await new Redactor(detectSecrets, []).redact({ text }, 1));
      const halves = [secret.slice(0, 7), secret.slice(-7)];
      if (halves.some((half) => safe.includes(half))) shown.push(`${shape}: ${text}`);
    }
  }
  expect(shown).toEqual([]);
});
