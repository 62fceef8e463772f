import { describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { runTest, type TestRun } from '../../memory-terminal.ts';

/** Of a terminal that fills a laptop's screen. */
const ROWS = 80;
const names = commands.map(({ name }) => name);

const pages = new Map<string, Promise<TestRun>>();

/** The same page each time: laid out once. */
async function help(name: string, ...more: string[]): Promise<string> {
  const words = [name, '--help', ...more];
  const page = pages.get(words.join(' ')) ?? runTest(words, { columns: 100 });
  pages.set(words.join(' '), page);
  return (await page).out;
}

describe.each(names)('coppice %s --help', (name) => {
  it('fits a screen: what all commands have is named only', async () => {
    const page = await help(name);
    const lines = page.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(ROWS);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(page).toMatch(/ --older-than .*--shard/s);
    expect(page).not.toContain('Select sessions last active before');
    // A text that fills its line is glued to what the parser says of its type.
    expect(page).not.toMatch(/\S\[(?:string|number|array|boolean|choices|default)/);
  });

  it('has examples and exit codes', async () => {
    expect(await help(name)).toMatch(/Examples:\n {2}(pi|coppice) .*Exit codes:\n {2}0 {2}\w/s);
  });

  it('says what an option does in one grammar', async () => {
    const command = await commands.find((entry) => entry.name === name)?.load();
    const texts = Object.values(command?.options ?? {}).map(({ describe: text = '' }) => text);
    const odd = /^(?![A-Za-z])|^(?:Whose|What|That|Which|The|Of|In) |\bis no\b|[.]$/;
    expect(texts.filter((text) => odd.test(text))).toEqual([]);
  });

  it('names the value of every option that takes one', async () => {
    const command = await commands.find((entry) => entry.name === name)?.load();
    const page = await help(name, '--all');
    const unnamed = Object.entries(command?.options ?? {}).filter(
      ([, { type, choices, value }]) =>
        (type === 'boolean' || choices !== undefined) !== (value === undefined),
    );
    expect(unnamed.map(([option]) => option)).toEqual([]);
    for (const [option, { value = '' }] of Object.entries(command?.options ?? {})) {
      expect(page).toContain(`--${option} ${value}`);
    }
    expect(page).not.toMatch(/\[(?:string|number|array|boolean)\]/);
  });

  it('lists exit code 1 only where a command can return it', async () => {
    const page = await help(name);
    expect(/^ {2}1 {2}/m.test(page)).toBe(['validate', 'migrate', 'prune'].includes(name));
    expect(page).toMatch(/^ {2}0 {2}.*\n(?: {2}1 {2}.*\n)? {2}2 {2}.*\n {2}3 {2}.*\n {2}70 /m);
  });

  it('is ASCII, which the build relies on where it measures', async () => {
    expect(await help(name, '--all')).toMatch(/^[ -~\n]+$/);
  });

  it('explains every option with --all', async () => {
    const command = await commands.find((entry) => entry.name === name)?.load();
    const page = await help(name, '--all');
    for (const [option, { describe: text = '' }] of Object.entries(command?.options ?? {})) {
      expect(page).toContain(`--${option}`);
      expect(page.replace(/\s+/g, ' ')).toContain(text.replace(/\s+/g, ' ').slice(0, 30));
    }
  });
});

describe('coppice --help', () => {
  it.each([80, 100])(
    'fits a small terminal of %d columns, and names every command',
    async (columns) => {
      const { out } = await runTest(['--help'], { columns });
      expect(out).toMatch(/^[ -~\n]+$/);
      expect(out.split('\n').length).toBeLessThanOrEqual(24);
      for (const name of names) expect(out).toContain(`coppice ${name} `);
    },
  );

  it('has examples and exit codes', async () => {
    const { out } = await runTest(['--help'], { columns: 100 });
    expect(out).toContain('\nExamples: ');
    expect(out).toContain('\nExit codes: 0 success, ');
  });

  it('has examples and exit codes of completion, too', async () => {
    const { out } = await runTest(['completion', '--help'], { columns: 80 });
    expect(out).toContain('\nExamples:\n  coppice completion ');
    expect(out).toContain('\nExit codes:\n  0  success\n  2  unknown shell\n  70 ');
  });
});
