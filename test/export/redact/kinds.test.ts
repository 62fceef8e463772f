import { describe, expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { FAMILIES } from './families/every-family.ts';
import { GIVEN } from './families/given.ts';
import { KEYS, KINDS, type Kind, MISSED, PLACES } from './kinds.ts';
import { PROVIDERS } from './kinds-of-providers.ts';
import { chars, LOWER, UPPER, withSalt } from './made-up.ts';
import { layOutForms, layOutKinds, layOutPrograms } from './secrets-page.ts';

async function isFound({ text, core }: Kind): Promise<boolean> {
  const safe = await new Redactor(detectSecrets, []).redact({ text: `see\n${text}\nthere` }, 1);
  return !JSON.stringify(safe).includes(core);
}

describe('redaction', () => {
  it.each(KINDS)('finds $kind', async (kind) => {
    expect(await isFound(kind)).toBe(true);
  });

  it.each(KEYS)('finds $kind at the end of a sentence, in bold, and behind =', async (kind) => {
    for (const text of [`it is ${kind.text}.`, `**${kind.text}**`, `x =${kind.text}`]) {
      expect(await isFound({ ...kind, text })).toBe(true);
    }
  });

  it.each(['unkey_', 'tr_prod_', 'app:{SHA}'])(
    'finds a key of letters only behind %s',
    async (by) => {
      const core = chars('letters', 27, LOWER + UPPER);
      const text = by.endsWith('}') ? `${by}${core}=` : `${by}${core.slice(0, 22)}`;
      expect(await isFound({ kind: by, form: '', text, core: core.slice(0, 22) })).toBe(true);
    },
  );

  it.each([
    'Beamer token',
    'GoCardless sandbox token',
    'Nomic key',
    'Socket key',
    'Storyblok token',
    'Tigris secret',
  ])('finds every %s, wherever signs stand in it', async (kind) => {
    for (let salt = 0; salt < 30; salt += 1) {
      const key = withSalt(String(salt), PROVIDERS[kind] ?? String);
      const end = key.slice(-12);
      expect(await isFound({ kind, form: '', text: key, core: end })).toBe(true);
    }
  });

  it('finds keys of Beamer in small letters', async () => {
    const key = 'b_stwfvavgoosl_lf0r1oiio5vyf72ixrisij5d7g7w=p1';
    expect(await isFound({ kind: 'Beamer', form: '', text: key, core: key.slice(-12) })).toBe(true);
  });

  it.each(MISSED)('does not find $kind, as its document says', async (kind) => {
    expect(await isFound(kind)).toBe(false);
  });

  it('has a document of all kinds and forms', async () => {
    const page = `# Secrets that are found

What \`--redact\` takes out: tests plant each kind and each form below in a session. See
[Secrets](export.md#secrets) for where it looks, and for what it does not find.

\`…\` stands for what is random in a key, or for a secret, \`⏎\` for the end of a line, \`⇥\` for a tab.

## Keys by their form

A key is found wherever it stands, if no letter, no digit and none of \`_-+/.~\` is right before it, and no letter,
no digit, none of \`_-+/~=(\`, and no \`.\` with a letter behind it, right behind it. Most are found there, too. Some
need a digit among their letters, which one in thirty of the shortest does not have (\`master-…\`).

${layOutKinds(KEYS)}

## Secrets by what is around them

${layOutKinds(PLACES)}

## Not found

${layOutKinds(MISSED)}

## Forms

Each of these is found for secrets of five shapes: \`wkBN72raYD19xc\` (letters of both kinds and digits, 14 of
them, which change often from one to another), 32 digits of hexadecimal, \`Sommer77!\`, base64 and a UUID.

${layOutForms(FAMILIES)}

## Arguments of programs

\`x\` is any argument, \`bob\` any user. Arguments may stand between these, and a path before the name of the program.
Secrets of the same five shapes are found.

${layOutPrograms(GIVEN)}
`;
    // `npx vitest run -u` writes it anew.
    await expect(page).toMatchFileSnapshot('../../../docs/secrets.md');
    expect(KINDS.length).toBeGreaterThanOrEqual(100);
  });
});
