import { expect, it } from 'vitest';
import { redact, VALUES } from './redact-text.ts';

/** Forms of several lines; `¤` is the secret. */
const FORMS: readonly string[] = [
  'user,password\nbob,¤',
  'tokens:\n  bob: ¤',
  '[passwords]\nbob = ¤',
  ' password \n----------\n ¤\n(1 row)',
  'NAME     TOKEN\nx        ¤',
];

/** What stands right before the first line of a text, and right behind its last one. */
const AROUND: readonly (readonly [before: string, behind: string])[] = [
  ['<bash-stdout>', '</bash-stdout><bash-stderr></bash-stderr>'],
  ['<local-command-stdout>', '</local-command-stdout>'],
  ['<bash-stdout>\n', '</bash-stdout>'],
  ['<file path="a.yml">', '</file>'],
  ['<returncode>0</returncode><output>', '</output>'],
  ["echo '", "' > x.yml"],
  ['echo "', '" | tee x.yml'],
  ["printf '%s\\n' '", "' > x.yml"],
  ['X="', '"'],
  ["$x = '", "';"],
  ['const x = `', '`;'],
  ['parse(`', '`)'],
  ['x = """', '"""'],
  ["x = f'''", "'''.strip()"],
];

it.each(AROUND)('finds a secret of several lines in a text behind %j', async (before, behind) => {
  for (const form of FORMS) {
    for (const value of VALUES) {
      const text = `see\n${before}${form.replace('¤', value)}${behind}\nthere`;
      expect(await redact(text)).not.toContain(value);
    }
  }
});

it('finds the secrets of a long table in what an agent puts around it', async () => {
  const rows = Array.from({ length: 60 }, (_, row) => `user${row},Sommer${row + 10}!`);
  const safe = await redact(`<bash-stdout>user,password\n${rows.join('\n')}</bash-stdout>`);
  expect(safe).not.toContain('Sommer');
  expect(safe).toContain('</bash-stdout>');
});

/** Strings of programs that hold the ends of lines as escapes; `¤` is the text. */
const STRINGS: readonly string[] = [
  'const csv = "¤";',
  "csv = '¤'",
  "io.BytesIO(b'¤')",
  'echo -e "¤" > x.yml',
  "printf '¤\\n' | tee x.yml",
  "CompletedProcess(args=['x'], returncode=0, stdout='¤', stderr='')",
  'time=x level=info msg="¤" pid=1',
  "{'out': '¤', 'code': 0}",
  '=> "¤"',
  'Ok("¤")',
  "E       AssertionError: assert '¤' == 'x'",
];

it.each(STRINGS)('finds a secret of several lines in the string of %j', async (string) => {
  for (const form of FORMS) {
    for (const value of VALUES) {
      const text = form.replace('¤', value).replaceAll('\n', String.raw`\n`);
      expect(await redact(`see\n${string.replace('¤', text)}\nthere`)).not.toContain(value);
    }
  }
});
