import { expect, it } from 'vitest';
import { redact, VALUES } from './redact-text.ts';

/** Lists and tables in which another entry stands before the secret: an empty one, a short one, one of several words. */
const FORMS: readonly string[] = [
  '[tokens]\nci = ""\nbob = "*"',
  '[tokens]\nport = 80\nhosts = [\n  "a",\n]\nbob = "*"',
  '[secrets]\nnote = "for the demo"\nMAIL = "*"',
  'secrets:\n  note: for the demo\n  mail: *',
  'secrets:\n  note: ""\n  mail: *',
  'secrets:\n  note: "it\'s"\n  mail: "*"',
  'secrets:\n  mail:\n    from: Bob <b@example.org>\n    zeta: *',
  'tokens:\n  - ""\n  - *',
  'passwords:\n  bob smith: x\n  ann: *',
  'passwords:\n  bob@example.com: *',
  'kind: Secret\nstringData:\n  empty: ""\n  zeta: *',
  'kind: Secret\nstringData:\n  from: Bob <b@example.org>\n  zeta: *',
  '{"kind": "Secret", "stringData": {"a": "", "b": "x \\"y\\"", "zeta": "*"}}',
  '====== Data ======\nKey     Value\n---     -----\nnote    the main one\nzeta    *',
  'passwords = [\n  "x",\n\n  "*",\n]',
  'tokens = {\n  # ci; nightly\n  "bob": "*",\n}',
  'secrets = {\n  mail: get("x"),\n\n  db: "*",\n}',
  'PASSWORDS=("" "a;b" "*")',
  'url,user,password,note,name\nh,bob,x,"one\ntwo",mail\nh,ann,*,,shop',
  'name,note,"other",password\na,"one\ntwo","three\nfour",*',
  'user,password\nbob, smith,x\nann,*',
  'user;password;note\nbob;x;a;b\nann;*;',
  'user\tpassword\tnote\nbob\tx\ta\tb\nann\t*\tz',
  'NAME      PASSWORD     AGE\nbob       x            2  days\nann       *            3d',
  ' password \n----------\n x\n two words\n *\n(3 rows)',
  "INSERT INTO users (name, password) VALUES\n  -- first\n  ('a', 'x'),\n  /* second */\n  ('app', '*');",
];

/** But for the signs of a remark of SQL. */
const SECRET = /(?<!\/)\*(?!\/)/;

it.each(FORMS)('finds a secret behind another entry in %j', async (form) => {
  for (const value of VALUES)
    expect(await redact(form.replace(SECRET, value))).not.toContain(value);
});

it('finds an argument behind another with quotes in its quotes', async () => {
  for (const value of VALUES) {
    const command = String.raw`mysql -u root -e "select \"a | b\" from x" -p${value} shop`;
    expect(await redact(command)).not.toContain(value);
  }
});

it('ends a table and a list at text that is none', async () => {
  const text = [
    ' password \n----------\n x\n(1 row)\n\nthe commit is\n3f786850e387550fdab836ed7e6dc881',
    'tokens:\n  note: x\nother:\n  id: 3f786850e387550fdab836ed7e6dc881',
    '[tokens]\nnote = x\n[other]\nid = "3f786850e387550fdab836ed7e6dc881"',
    'user,password\nbob,x\n\nann,3f786850e387550fdab836ed7e6dc881',
  ].join('\n\nsee\n');
  expect(await redact(text)).toBe(text);
});
