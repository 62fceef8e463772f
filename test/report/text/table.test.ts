import { Chalk } from 'chalk';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { toPlainLine } from '../../../src/report/text/escape.ts';
import { type Column, formatTable } from '../../../src/report/text/table.ts';
import { runs, takeSome } from '../../harness/runs.ts';

interface Row {
  readonly name: string;
  readonly size: number;
}

const columns: readonly Column<Row>[] = [
  { title: 'NAME', shrinks: 'end', cell: ({ name }) => name },
  { title: 'SIZE', align: 'right', cell: ({ size }) => String(size) },
];
const style = new Chalk({ level: 0 });

async function render(rows: readonly Row[], width?: number): Promise<string> {
  return [...(await formatTable(rows, columns, { width, style }))].join('');
}

it('aligns columns, numbers to the right', async () => {
  const rows = [
    { name: 'a', size: 5 },
    { name: 'longer', size: 1234 },
  ];
  expect(await render(rows)).toBe('NAME    SIZE\na          5\nlonger  1234\n');
});

it('shortens what may shrink to the width of the screen, by columns and not by characters', async () => {
  const rows = [
    { name: '日本語のとても長いセッション名です', size: 1 },
    { name: 'x'.repeat(100), size: 22 },
  ];
  const lines = (await render(rows, 24)).trimEnd().split('\n');
  expect(lines[1]).toBe('日本語のとても長…      1');
  expect(lines[2]).toBe(`${'x'.repeat(17)}…    22`);
});

it.each([
  ['~/src/orchard/web', '…rchard/web'],
  ['~/ソース/オーチャード', '…ーチャード'],
])('shortens the path %s at its beginning', async (name, shown) => {
  const path: Column<Row> = { title: 'PATH', shrinks: 'start', cell: (row) => row.name };
  const lines = [...(await formatTable([{ name, size: 1 }], [path], { width: 11, style }))];
  expect(lines[1]).toBe(`${shown}\n`);
});

it('leaves out a column that is empty, on a screen', async () => {
  const empty: Column<Row> = { title: 'EMPTY', cell: () => '' };
  const titles = async (width?: number): Promise<string | undefined> => {
    const all = [columns[0], empty, columns[1]].flatMap((column) => column ?? []);
    return [...(await formatTable([{ name: 'a', size: 1 }], all, { width, style }))][0];
  };
  expect(await titles(80)).toBe('NAME  SIZE\n');
  expect(await titles()).toBe('NAME  EMPTY  SIZE\n');
});

it('shortens nothing into a pipe', async () => {
  const name = 'long '.repeat(100).trim();
  expect(await render([{ name, size: 1 }])).toContain(`\n${name}     1\n`);
});

it('lets a long text move its own row alone, in a pipe', async () => {
  const rows = ['long '.repeat(100).trim(), '認証'.repeat(40), 'short'].map((name, size) => ({
    name,
    size,
  }));
  const [head = '', ...lines] = (await render(rows)).split('\n');
  expect(head).toBe(`${'NAME'.padEnd(72)}  SIZE`);
  expect(lines[1]).toBe(`${'認証'.repeat(40)}     1`);
  expect(lines[2]).toBe(`${'short'.padEnd(72)}     2`);
});

it('leaves out minor columns, the last one first, before the others say nothing', async () => {
  const minor = (title: string): Column<Row> => ({ title, isMinor: true, cell: () => '12345678' });
  const all = [...columns, minor('FIRST'), minor('LAST')];
  const row = { name: 'x'.repeat(40), size: 1 };
  const titles = async (width: number): Promise<string | undefined> =>
    [...(await formatTable([row], all, { width, style }))]
      .join('')
      .split('\n')[0]
      ?.replaceAll(/ +/g, ' ');
  expect(await titles(80)).toBe('NAME SIZE FIRST LAST');
  expect(await titles(40)).toBe('NAME SIZE FIRST');
  expect(await titles(30)).toBe('NAME SIZE');
});

it('prints nothing for no rows', async () => {
  expect(await render([])).toBe('');
});

it.each(['row ', '認証モジュールを', 'e\u0301'])('takes any number of rows of %s', async (text) => {
  const name = text.repeat(60);
  const rows = Array.from({ length: runs(300) }, (_, size) => ({ name: `${name} ${size}`, size }));
  expect((await render(rows)).split('\n')).toHaveLength(rows.length + 2);
});

it('gives every character the room that it takes', async () => {
  const all = Array.from({ length: 0x1000 }, (_, size) => {
    const chars = Array.from({ length: 16 }, (_empty, i) => String.fromCharCode(size * 16 + i));
    return { name: toPlainLine(chars.join('')), size: 7 };
  });
  const lines = (await render(takeSome(all, 120))).trimEnd().split('\n');
  expect(new Set(lines.map((line) => stringWidth(line))).size).toBe(1);
});

it.each([60, 80, 200])(
  'keeps CJK, emoji and accents within %i columns, and whole',
  async (width) => {
    const names = [
      '認証モジュールをリファクタリングして、セッションの有効期限を短くする、それからもう一度すべてを試す'.repeat(
        2,
      ),
      '🚀 déployer 🇩🇪 '.repeat(20),
      'e\u0301'.repeat(250),
      '한국어 '.repeat(60),
    ];
    const lines = (
      await render(
        names.map((name, size) => ({ name, size })),
        width,
      )
    ).split('\n');
    for (const line of lines) {
      expect(stringWidth(line)).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(/\ufffd|\p{Surrogate}/u);
    }
  },
);

const SCRIPTS = [
  'plain',
  'שָׁלוֹם עולם',
  'مرحبا',
  'कि नमस्ते',
  '漢字かな',
  'ไทยนี้',
  'ᄀ한글',
  'ﷺ',
  'ｶﾞ',
].concat([
  '👍🏽 ok',
  '👩‍👩‍👧‍👦',
  '⚠️ warn',
  '🇩🇪',
  '1️⃣',
  'e\u0301',
  '\ud800',
  '\u00adsoft',
  '𝒳𝒴',
  '\u{e0041}',
]);

it.each([undefined, 60, 15])(
  'keeps columns aligned in every script, at a width of %s',
  async (width) => {
    const text = fc
      .array(fc.constantFrom(...SCRIPTS), { maxLength: 4 })
      .map((all) => all.join(' '));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), async (names) => {
        const rows = names.map((name) => ({ name: toPlainLine(name), size: 7 }));
        const lines = (await render(rows, width)).trimEnd().split('\n');
        expect(new Set(lines.map((line) => stringWidth(line))).size).toBe(1);
        expect(lines.slice(1).every((line) => line.endsWith('  7'))).toBe(true);
        // What is set apart is also brought to an end.
        for (const line of lines)
          expect(line).toMatch(/^[^\u2068\u2069]*(\u2068[^\u2068]*\u2069)?[^\u2068\u2069]*$/);
      }),
    );
  },
);
