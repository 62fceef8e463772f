import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { base64, P } from './made-up.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';

const redact = async (text: string): Promise<string> =>
  JSON.stringify(await new Redactor(detectSecrets, []).redact({ text }, 1));

const VALUES = [P('held'), 'Sommer77!', 'tr0ub4dor&3'];

it.each([
  'tokens: {access: *}',
  'tokens: {access: *, refresh: "*"}',
  'tokens:\n  access: *\n  refresh: *',
  'tokens:\n  - *\n  - *',
  'token:\n  access: *\n  refresh: *',
  'api:\n  url: https://example.com\n  key: *',
  'private:\n  key: *',
  '{"api": {"key": "*"}}',
  'passwords:\n  bob: *\n  ann: "*"',
  '- db_passwords:\n    bob: *',
  'secrets:\n  db:\n    value: *\n  mail: *',
  '{\n  "secrets": {\n    "mail": "*",\n    "db": "*"\n  }\n}',
  '   12\tsecrets:\n   13\t  mail: *',
  '+secrets:\n+  mail: *',
  '<password type="plain">*</password>',
  '<AdministratorPassword>\n  <Value>*</Value>\n</AdministratorPassword>',
  'variable "db_password" {\n  type    = string\n  default = "*"\n}',
  `variable "db_password" {\n  description = "${'a password of the database. '.repeat(20)}"\n  default = "*"\n}`,
  '~ password = "old" -> "*"',
  'password (production): *',
  'Password:\n\n```\n*\n```',
  'password.equals("*")',
  'user;password\nbob;*',
  'user,password,note\nbob,*,"a, b"',
  '"user","note","password"\n"bob","a, b","*"',
  "INSERT INTO users (note, password) VALUES ('a, b', '*')",
  'NAME   USER   PASSWORD\ndb     bob    *',
  '====== Data ======\nKey         Value\n---         -----\nuser        bob\nhost_x      *',
  'Key                 Value\n---                 -----\nrefresh_interval    768h\nx                   *',
  '  Key                 Value\n  ---                 -----\n  refresh_interval    768h\n  x                   *',
  '{"request_id": "a", "lease_id": "", "data": {"data": {"x": "*"}, "metadata": {}}}',
  `kubectl patch secret x -p '{"stringData":{"a":"*"}}'`,
  'USER   PASSWORD      ROLE\nbob    *    admin',
])('finds the secret in what holds it: %j', async (form) => {
  for (const value of VALUES) {
    expect(await redact(form.replaceAll('*', () => value))).not.toContain(value);
  }
});

it.each([
  { token: { access: '*' } },
  { api: { key: '*' } },
  { private: { key: '*' } },
  { OptionName: 'DB_PASSWORD', Namespace: 'x', Value: '*' },
  { ParameterKey: 'DBPassword', ParameterValue: '*' },
  { key: 'password', new_value: '*' },
  { type: 'SecureString', name: '/prod/db/url', value: '*' },
  { type: 'password', value: '*' },
  { answers: { 'What is the database password?': '*' } },
  { answers: { 'Which token should I use?': '*' } },
  { answers: { 'Which API key should the client send?': '*' } },
  { env: { USER: 'bob', PASS: '*' } },
])('finds the secret among the members of an object: %j', async (form) => {
  for (const value of VALUES) {
    const given = JSON.parse(JSON.stringify(form).replace('*', () => value)) as JsonObject;
    const payload = { message: { details: given } };
    const safe = await new Redactor(detectSecrets, []).redact(payload, 1);
    expect(JSON.stringify(safe)).not.toContain(value);
    expect(await redact(JSON.stringify(given, null, 2))).not.toContain(value);
  }
});

it('finds one that hardly changes from digits to letters by the name beside it', async () => {
  const given = { OptionName: 'DB_PASSWORD', Namespace: 'x', Value: 'mbgqmwpYvPxarje5HwJtsEse' };
  const safe = await new Redactor(detectSecrets, []).redact({ message: { given } }, 1);
  expect(JSON.stringify(safe)).not.toContain(given.Value);
});

it.each([
  { type: 'password', name: 'field1', value: 'Enter your password' },
  { api: { key: 'userName2', url: 'https://example.com/v2' } },
  { token: { id: 'Ident12', access: 'read' } },
  { answers: { 'Where is the password kept?': 'in 1Password' } },
  { type: 'text', value: 'Module2Name' },
  { colors: { PASS: '#22c55e', FAIL: 'red' }, icons: { PASS: 'bg-green-500' } },
  { answers: { 'Which password rules are needed?': 'NIST2017' } },
])('leaves alone members that are none: %j', async (payload) => {
  expect(await new Redactor(detectSecrets, []).redact(payload, 1)).toBe(payload);
});

it.each([
  (data: string) => `kind: Secret\ndata:\n  app.conf: ${data}`,
  (data: string) => `data:\n  MAIL: ${data}\nkind: Secret\nmetadata:\n  name: x`,
  (data: string) => `{"data": {"MAIL": "${data}"}, "kind": "Secret"}`,
])('finds every datum of a secret of Kubernetes: %#', async (toText) => {
  for (const value of ['hunter2!', 'horse', P('kubernetes')]) {
    expect(await redact(toText(base64(value)))).not.toContain(base64(value));
  }
});

const CERTIFICATE = base64('a line of a certificate or a bundle\n'.repeat(120));

it.each([
  `kind: Secret\ndata:\n  ca.crt: ${CERTIFICATE}\n  MAIL: *`,
  `data:\n  MAIL: *\n  ca.crt: ${CERTIFICATE}\nkind: Secret\nmetadata:\n  name: x`,
  `items:\n- data:\n    MAIL: *\n    ca.crt: ${CERTIFICATE}\n  kind: Secret`,
  `{\n  "data": {\n    "MAIL": "*",\n    "ca.crt": "${CERTIFICATE}"\n  },\n  "kind": "Secret"\n}`,
  `{"data": {"ca.crt": "${CERTIFICATE}", "MAIL": "*"}, "kind": "Secret"}`,
  'kind: Secret\ndata:\n  ca.crt: |\n    YSBsaW5l\n\n    YSBsaW5l\n  MAIL: *',
  `kind: Secret\ndata:\n${Array.from({ length: 300 }, (_, index) => `  k${index}: eHg=\n`).join('')}  MAIL: *`,
])('finds a datum beside long ones, and beside many: %#', async (form) => {
  for (const value of ['hunter2!', 'Sommer77!', P('kubernetes')]) {
    expect(await redact(form.replace('*', base64(value)))).not.toContain(base64(value));
  }
});

it('finds a text of a secret of Kubernetes behind one of several lines', async () => {
  const data = '  app.yaml: |-\n    a: b\n\n    see there\n  MAIL: hunter2!\n';
  expect(await redact(`kind: Secret\nstringData:\n${data}`)).not.toContain('hunter2!');
});

it.each([
  (members: string) => `tokens = {\n${members}  "ann": "*"\n}`,
  (members: string) => `passwords:\n${members.replaceAll('",', '"')}  ann: "*"`,
  (members: string) =>
    `[tokens]\n${members.replaceAll('": ', '" = ').replaceAll(',', '')}ann = "*"`,
])('finds the last of a long collection: %#', async (toText) => {
  const members = Array.from({ length: 300 }, (_, index) => `  "user-${index}": "none",\n`).join(
    '',
  );
  for (const value of VALUES) {
    expect(await redact(toText(members).replace('*', () => value))).not.toContain(value);
  }
});

it('finds what a secret of Kubernetes has as text', async () => {
  expect(await redact('kind: Secret\nstringData:\n  MAIL: hunter2!')).not.toContain('hunter2!');
});

it.each([
  'tokens: {space: 12.5rem, input: text12}',
  'tokens:\n  - text\n  - comment2',
  'secrets:\n  db:\n    file: ./Secrets1/db2.txt',
  'kind: ConfigMap\ndata:\n  MAIL: aHVudGVyMiE=',
  'kind: Secret\ndata:\n  username: Ym9i',
  'passwords:\nnext: Sommer77!',
  'NAME   TOKENS   PASSWORD\ndb     12       required',
  'the password  is kept\nin Module2  elsewhere',
])('leaves alone what holds none: %j', async (text) => {
  const payload = { text };
  expect(await new Redactor(detectSecrets, []).redact(payload, 1)).toBe(payload);
});
