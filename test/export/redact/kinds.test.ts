import { describe, expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { KINDS, type Kind, MISSED } from './kinds.ts';

async function isFound({ text, core }: Kind): Promise<boolean> {
  const safe = await new Redactor(detectSecrets, []).redact({ text: `see\n${text}\nthere` }, 1);
  return !JSON.stringify(safe).includes(core);
}

describe('redaction', () => {
  it.each(KINDS)('finds $kind', async (kind) => {
    expect(await isFound(kind)).toBe(true);
  });

  it('finds those kinds that its document names, and no others', async () => {
    const kinds = [...KINDS, ...MISSED].toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
    const rows = await Promise.all(
      kinds.map(async (kind) => [kind.kind, (await isFound(kind)) ? 'yes' : 'no']),
    );
    const width = Math.max(...kinds.map(({ kind }) => kind.length));
    const table = [['kind', 'found'], ...rows].map(([kind = '', found = '']) => {
      return `| ${kind.padEnd(width)} | ${found.padEnd(5)} |`;
    });
    table.splice(1, 0, `| ${'-'.repeat(width)} | ----- |`);
    const intro =
      'Kinds of secrets that a test plants in a session, and whether `--redact` takes\n' +
      'them out. See [Secrets](export.md#secrets).';
    const page = `# Secrets that are found\n\n${intro}\n\n${table.join('\n')}\n`;
    // `npx vitest run -u` writes it anew.
    await expect(page).toMatchFileSnapshot('../../../docs/secrets.md');
    expect(KINDS.length).toBeGreaterThanOrEqual(100);
  });
});
