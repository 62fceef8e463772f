import { expect, it } from 'vitest';
import { base64, chars, UPNUM } from './made-up.ts';
import { redactText, VALUES } from './redact-text.ts';

it.each([
  '- name: DB_PASSWORD\n  # see the wiki\n  value: ¤',
  '- name: DB_PASSWORD # old\n  value: ¤',
  '{\n  "name": "DB_PASSWORD",\n  /* old */\n  "value": "¤"\n}',
  'resource "aws_ssm_parameter" "x" {\n  name  = "db_password" # old\n  type  = "SecureString"\n  value = "¤"\n}',
  'resource "aws_ssm_parameter" "x" {\n  name  = "/app/prod/db_password"\n  type  = "SecureString"\n  value = "¤"\n}',
  'password:\n  # see the wiki\n  ¤',
  'password: # old\n  ¤',
  'password: |\n  # old\n  ¤',
  'password =  # old\n  "¤"',
  'const password =\n  // old\n  "¤";',
  '<password><!-- old -->¤</password>',
  '<add key="password" kind="x" value="¤"/>',
  '[tokens]\n\nbob = "¤"',
  '[tokens]\n# old\n\n"José" = "¤"',
])(
  'finds a value behind a remark, a line or a member between it and its name in %j',
  async (text) => {
    for (const value of VALUES)
      expect(await redactText(text.replace('¤', value))).not.toContain(value);
  },
);

it.each([
  'password = cfg["x"] or "¤"',
  'password = input("x") or "¤"',
  "const token = localStorage.getItem('t') || '¤';",
  "const token = req.headers['x-t'] ?? '¤'",
  'val password = System.getenv("X") ?: "¤"',
  'password = var.x != "" ? var.x : "¤"',
  "const password: string = env === 'prod' ? x?.y : '¤';",
  "const apiKey = mode === 'development' ? '¤' : undefined;",
  'password = x if env == "prod" else "¤"',
])('finds what a program takes instead of another value in %j', async (text) => {
  for (const value of VALUES)
    expect(await redactText(text.replace('¤', value))).not.toContain(value);
});

it.each([
  'Pass code: **¤**',
  'wachtwoord van de server: **¤**',
  'password reset: **¤**.',
  'Password ✅ **¤**',
  '密码是 **¤**',
  '密码「¤」',
  'パスワードは「¤」です',
  '비밀번호는 **¤** 입니다',
  'contraseña «¤»',
  'Mot de passe « ¤ »',
])('finds a value in bold or in the quotes of a language in %j', async (text) => {
  for (const value of VALUES)
    expect(await redactText(text.replace('¤', value))).not.toContain(value);
});

it.each([
  'login: müller / ¤',
  'creds: José:¤',
  'Zugangsdaten: müller / ¤',
  'use müller:¤ to log in',
  'Login → admin / ¤',
  'Credentials (staging): admin / ¤',
  'Credentials for staging: admin / ¤',
])('finds a value behind a user in the sentence %j', async (text) => {
  for (const value of VALUES)
    expect(await redactText(text.replace('¤', value))).not.toContain(value);
});

it.each([
  'user, password = "bob", "¤"',
  'user, password := "bob", "¤"',
  "my ($user, $password) = ('bob', '¤');",
  'const [user, password] = ["bob", "¤"];',
  'smtp.login(\n    "bob@example.com",\n    "¤",\n)',
  'DriverManager.getConnection(\n    "jdbc:x",\n    "bob",\n    "¤");',
  'btoa(`bob:¤`)',
  "createHmac('sha256', `¤`)",
])('finds a value in the program %j', async (text) => {
  for (const value of VALUES)
    expect(await redactText(text.replace('¤', value))).not.toContain(value);
});

it.each([
  'password: # see below\n  description\n',
  'login: see the page / 3f786850e387550fdab836ed7e6dc881 is a commit',
  'user, count = "bob", "3f786850e387550fdab836ed7e6dc881"',
  'logger.log(\n    "bob",\n    "3f786850e387550fdab836ed7e6dc881",\n)',
])('leaves %j as it is', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it.each([
  'GET /login?api_key=¤&page=2&sort=asc HTTP/1.1',
  'https://example.com/a?access_token=¤&expires=3600&user=bob',
  'user=bob&password=¤&scope=read',
  'code=abc&client_secret=¤&redirect_uri=https%3A%2F%2Fexample.com%2Fhome2',
  'https://b.s3.amazonaws.com/a?X-Amz-Security-Token=¤&X-Amz-Date=20260101T000000Z',
  'Server=db;Password=¤;Timeout=30;Pooling=true',
  'Host=db;Password=¤;Connect Timeout=30',
  'id,email,password,role\n1,bob@example.com,¤,admin\n',
  'email,password\nbob@example.com,¤\n',
  '1,bob@example.com,¤,admin',
])('takes the value out of %j, and nothing of what is beside it', async (text) => {
  const [before = '', behind = ''] = JSON.stringify({ text }).split('¤');
  for (const value of ['wkBN72raYD19xc', 'k8Wq2ZpL9vRt4XnB7mYc1HdJ']) {
    const redacted = await redactText(text.replace('¤', value));
    expect(redacted.replace(/\[REDACTED:[\w-]+\]/, '')).toBe(before + behind);
  }
});

it.each([
  'password: \n\ntoken =3D ¤',
  'https://example.com/a?token=3D¤&id=3D44 in a mail',
  'the password is zzz1,¤,yy',
])('finds the value in %j, whatever is beside it', async (text) => {
  expect(await redactText(text.replace('¤', 'wkBN72raYD19xc'))).not.toContain('wkBN72raYD19xc');
});

it.each([
  '{"url":"¤","port":1,"name":"x"}',
  "{'url': '¤','port':3}",
  '["¤","¤","x"]',
  '{\\"url\\":\\"¤\\",\\"port\\":1}',
  '<a href="¤">x</a>',
  '(¤), `¤`, [db](¤) and ¤.',
  'DATABASE_URL="¤",',
])('takes the address of a database out of %j, and nothing behind it', async (text) => {
  for (const address of [
    'postgres://bob:wkBN72raYD19xc@db.example.com/app?sslmode=require',
    'mysql://bob:wkBN72(ra)YD|19xc@[::1]:3306/app',
    'mongodb://bob:wkBN72raYD19xc@a.example.com:1,b.example.com:2/app',
  ]) {
    const redacted = await redactText(text.replaceAll('¤', address));
    expect(redacted.replace(/\[REDACTED:[\w-]+\]/g, '¤')).toBe(JSON.stringify({ text }));
  }
});

it.each([
  "f({'password':P,'port':'x'})",
  '{"password":e,"username":t,"b":1}',
  "d={'user':user,'password':pwd1,'host':host}",
])('takes no members of the program %j for a password', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it.each([
  '1,first,$2b$12$r0OmlJk7ix9UKd2CBYzHL12VDd5WoFn0IufTB2aNDuy7BtDV8XIpw,second,third',
  '{a: first, b: "app:{SHA}1xYjTXhgkyWGHLCo9z9CA2CkK4Q=", c: second}',
  '1,app:{SHA}1xYjTXhgkyWGHLCo9z9CA2CkK4Q=,second',
  '["first","https://x.blob.core.windows.net/a?sv=1&sig=cSP38MzSCrtxGPXEXjoLiR3DdYgZiCkz54U15BIwJAQ%3D","second","third"]',
  '{"a":"0aazE0aotvewovqn1No2H1bfrJyKL4RPUWghRwATZAoh0JHpoVGHJQQJ99BCW2DZKJPOJUGQ7HRTACOGEsiN","beta":"second two"}',
  '<td>Authorization: Bearer KLPJqWlqAAv1zZpxJLCkrEgYKWLmCkpX</td><td>second</td>',
])('takes nothing beside the key in %j', async (text) => {
  const redacted = await redactText(text);
  const [before = '', behind = ''] = redacted.split(/\[REDACTED:[\w-]+\]/);
  const whole = JSON.stringify({ text });
  expect(whole.startsWith(before) && whole.endsWith(behind)).toBe(true);
  expect(whole.slice(before.length, whole.length - behind.length)).toMatch(/^[\w+/=%$.]{20,}$/);
});

it('finds hashes with parameters between commas', async () => {
  const argon =
    '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHRzb21lc2E$RdescudvJCsgt3ub+b27dWRJJTmaaJObG1';
  expect(await redactText(`a,${argon},b`)).toBe('{"text":"a,[REDACTED:password-hash],b"}');
});

it.each([
  'the AWS keys are ¤ and ♦',
  'access key ¤ / ♦',
  '| ¤ | ♦ |',
  '¤\n♦',
  '`¤`\n  `♦`',
  '¤\r\n♦\r\n',
])('finds the secret key of AWS beside its id in %j', async (text) => {
  const id = `AKIA${chars('idbeside', 16, UPNUM)}`;
  for (const secret of ['od+kuShZ+mZmu7qEY/TYypnibi5M/zOpzOhHBqeg', base64(chars('aws', 30))])
    expect(await redactText(text.replace('¤', id).replace('♦', secret))).not.toContain(secret);
});

it('takes no commit below the id of a key for its secret', async () => {
  const commit = '4f2a9c1b3d5e7f8091a2b3c4d5e6f708192a3b4c';
  expect(await redactText(`AKIA${chars('idcommit', 16, UPNUM)}\n${commit}`)).toContain(commit);
});
