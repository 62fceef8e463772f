import { expect, it } from 'vitest';
import { redactText, VALUES } from './redact-text.ts';

/** Names of other columns. */
const HEADS: readonly string[] = [
  '#',
  '(index)',
  'User (LDAP)',
  'Host/IP',
  'CPU (%)',
  "Owner's",
  'Name & Co',
  '№',
  'Passed?',
  'Server [prod]',
  '👤 User',
];

it.each(HEADS)('finds a value in the column of a table that has one called %j', async (head) => {
  for (const value of VALUES) {
    for (const table of [
      `| ${head} | password |\n|---|---|\n| x | ${value} |\n`,
      `| password | ${head} |\n|---|---|\n| ${value} | x |\n`,
      `┌──┬──┐\n│ ${head} │ password │\n├──┼──┤\n│ 0 │ '${value}' │\n└──┴──┘\n`,
      ` ${head} | password \n---+---\n x | ${value} \n(1 row)\n`,
      `${head},password\nx,${value}\n`,
      `"${head}";"password"\n"x";"${value}"\n`,
      `${head}\tpassword\nx\t${value}\n`,
      `NAME      ${head}      PASSWORD\nx     y     ${value}\n`,
    ]) {
      expect(await redactText(table)).not.toContain(value);
    }
  }
});

it.each([
  '| user | note | password |\n|---|---|---|\n| x | a \\| b | ¤ |',
  '| user | password | note |\n|---|---|---|\n| x | ¤ |',
  '| user | password | note |\n|---|---|---|\n| **staff** |\n| a | b |\n| x | ¤ | y |',
  '| user | Password (initial) |\n|---|---|\n| x | ¤ |',
  '| user | 🔑 Password* |\n|---|---|\n| x | ¤ |',
  '| user | [Password](https://example.com/x) |\n|---|---|\n| x | ¤ |',
  'user,note,password\nx,"a ""b"", c",¤',
  'api_token: |\n\n  ¤\n',
  '\tUSER  PASSWORD\n\tx     ¤',
  'as:\n\n\t\tNAME     TOKEN\n\t\tx        ¤\n\nso',
  '\tuser\tpassword\n\tx\t¤',
  'Passwords\nuser;password\nx;¤',
  'passwords.csv\nuser,password\nx,¤',
])('finds a value in a table that begins with %j', async (table) => {
  for (const value of VALUES)
    expect(await redactText(table.replace('¤', value))).not.toContain(value);
});

it.each([
  "INSERT INTO users (name, created, password) VALUES ('bob', NOW(), '¤');",
  "INSERT INTO users (name, bio, password) VALUES ('bob', 'x (y), it''s \\' z', '¤');",
  `INSERT INTO users (name, bio, password) VALUES ('bob', '${'a, b '.repeat(100)}', '¤');`,
  `INSERT INTO users (${'one_more_column, '.repeat(40)}password) VALUES (${'1, '.repeat(40)}'¤');`,
  "INSERT IGNORE INTO users (name, password) VALUES ('bob', '¤');",
  "INSERT OR REPLACE INTO users (name, password) VALUES ('bob', '¤');",
  "REPLACE INTO users (name, password) VALUES ('bob', '¤');",
  "INSERT INTO [dbo].[users] ([name], [password]) VALUES (N'bob', N'¤')",
  'INSERT INTO "users" ("name", "password") OVERRIDING SYSTEM VALUE VALUES (\'bob\', \'¤\');',
  "INSERT INTO users (name, password) VALUES\n                ('a', 'b'), -- one\n  ('bob', '¤');",
])('finds a value in %j', async (sql) => {
  for (const value of VALUES)
    expect(await redactText(sql.replace('¤', value))).not.toContain(value);
});

it.each([
  '<td><a href="x">bob</a></td><td>¤</td>',
  '<td>bob<br>x</td><td>¤</td>',
  '<td><img src="x"></td><td>¤</td>',
  '<td><div class="a"><span>bob</span></div></td><td><div>¤</div></td>',
  `<td>${'word '.repeat(100)}</td><td><a href="x">¤</a></td>`,
])('finds a value in the row %j of a page', async (row) => {
  const head = '<tr><th>user</th><th><i class="key"></i> Password</th></tr>';
  for (const value of VALUES) {
    expect(await redactText(`${head}<tr>${row.replace('¤', value)}</tr>`)).not.toContain(value);
  }
});

it.each([
  'f(user, password)\nf("bob", "3f786850e387550fdab836ed7e6dc881", 1, 2)',
  '| Name (all) | password length |\n|---|---|\n| x | 3f786850e387550fdab836ed7e6dc881 |',
  "INSERT INTO files (password_hint, sha) VALUES ('x', '3f786850e387550fdab836ed7e6dc881');",
])('leaves %j as it is', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it.each([
  '┏━━━━━┳━━━━━━━━━━┓\n┃ user ┃ password ┃\n┡━━━━━╇━━━━━━━━━━┩\n│ bob │ ¤ │\n└─────┴──────────┘',
  '┌──────┬──────────┐\n│ user ┆ password │\n│ ---  ┆ ---      │\n│ str  ┆ str      │\n╞══════╪══════════╡\n│ bob  ┆ ¤ │\n└──────┴──────────┘',
  'NAME     TOKEN     CREATED\n         ¤\nann      x         today\n',
  '  user   password   note\n ──────────────────────\n  bob    x          old\n         ¤\n',
  'NAME     NOTE    API_KEY\nbob              ¤\n',
  '  name    password\n0  bob           x\n1        ¤\n',
  'user\ttoken\tnote\nbob\t¤\n',
  'user,password\nbob,¤,\n',
  'user,password\n# old ones\nbob,¤\n',
  '| user | password |\n|---|---|\n| bob | ¤ (old) |',
  '| user | password |\n|---|---|\n| bob | ¤ ⚠️ |',
  '| user | password |\n|---|---|\n| bob | `¤`, `x` |',
  '| user | password |\n|---|---|\n| bob | <code>¤</code> until May |',
  '| user | password |\n|---|---|\n| bob | [¤](https://example.com) |',
  '| | staging | prod |\n|---|---|---|\n| Password | x | ¤ |',
  '| Name | Type | Value |\n|---|---|---|\n| DB_PASSWORD | string | ¤ |',
  '│ DB_PASSWORD │ string │ ¤ │',
  '|  password  |  ¤|',
  '1,"first","myPass = ""¤""","second",third',
  '1,"{""USER"": ""bob"", ""PASS"": ""¤""}","second",third',
])('finds a value in the table %j, with cells that are empty or say more', async (table) => {
  for (const value of VALUES)
    expect(await redactText(table.replace('¤', value))).not.toContain(value);
});

it.each([
  'NAME     TOKEN\nand then there is a line 3f786850e387550fdab836ed7e6dc881\n',
  '  token   string\nNAME     SIZE    3f786850e387550fdab836ed7e6dc881\n',
  'f(1, key, x)\npos2key2(1, 2, k1=100)\n',
])('leaves what is below no name in %j', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

/** Tables as programs draw them around a column, or a longest value, that is wide. */
const WIDE_TABLES: readonly ((value: string, width: number) => string)[] = [
  (value, width) =>
    ` id | ${center('bio', width)} | password \n----+-${'-'.repeat(width)}-+----------\n  1 | ${'a b '.repeat(width / 4)} | ${value}\n(1 row)\n`,
  (value, width) =>
    `| id | ${'password'.padEnd(width)} | x |\n+----+-${'-'.repeat(width)}-+---+\n|  1 | ${value.padEnd(width)} | y |\n`,
  (value, width) =>
    `${center('password', width)}\n${'-'.repeat(width)}\n ${value}\n ${'x'.repeat(width)}\n(2 rows)\n`,
  (value, width) =>
    `| ${'password'.padEnd(width)} |\n+-${'-'.repeat(width)}-+\n| ${value.padEnd(width)} |\n`,
  (value, width) =>
    `┌${'─'.repeat(width)}┬──┐\n│${center('password', width)}│ x│\n├${'─'.repeat(width)}┼──┤\n│ ${value.padEnd(width - 1)}│ y│\n`,
  (value, width) =>
    `${'Name'.padEnd(width)} Value\n${'----'.padEnd(width)} -----\n${'DB_PASSWORD'.padEnd(width)} ${value}\n`,
  (value, width) => `-[ RECORD 1 ]${'-'.repeat(width)}\n${'password'.padEnd(width)}| ${value}\n`,
  (value, width) => `${'DB_PASSWORD'.padEnd(width)}: ${value}\n`,
  (value, width) => `| ${'DB_PASSWORD'.padEnd(width)} | ${value} |\n`,
  (value, width) => `id,bio,password\n1,"${'a b '.repeat(width / 4)}",${value}\n`,
  (value, width) =>
    `INSERT INTO users (bio, password) VALUES ('${'a b '.repeat(width / 4)}', '${value}');`,
  (value, width) =>
    `<tr><th>bio</th><th>password</th></tr><tr><td>${'a b '.repeat(width / 4)}</td><td>${value}</td></tr>`,
];

function center(name: string, width: number): string {
  return name.padStart((width + name.length) / 2).padEnd(width);
}

it.each([40, 60, 100, 160, 400, 4000])(
  'finds a value in a table with a column of %d characters',
  async (width) => {
    for (const value of [...VALUES, '0b7e719d7492d2ca29731889bff9cdf5', 'Sommer77!'])
      for (const toTable of WIDE_TABLES)
        expect(await redactText(toTable(value, width))).not.toContain(value);
  },
);
