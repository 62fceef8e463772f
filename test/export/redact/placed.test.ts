import { expect, it } from 'vitest';
import { findAssigned } from '../../../src/export/redact/secrets/assignments.ts';
import { redact } from './redact-text.ts';

const find = (text: string) =>
  [...findAssigned(text)].map(({ rule, start, end }) => `${rule} ${text.slice(start, end)}`);

it.each([
  [
    'GET /callback?state=x&code=4/0AfJohXkq3N8s2vQ-abc HTTP/1.1',
    'oauth-code 4/0AfJohXkq3N8s2vQ-abc',
  ],
  ['expect "*?assword:*"\nsend "correct-horse\\r"', 'command-password correct-horse'],
  ["requests.get(url, auth=('app', 'Zk3v9-Qw8Er", 'command-password Zk3v9-Qw8Er'],
  ['DriverManager.getConnection(url, "app", "Zk3v9-Qw8Er\nmore', 'command-password Zk3v9-Qw8Er'],
  ['Dim password As String = "Zk3v9-Qw8Er', 'assigned-secret Zk3v9-Qw8Er'],
  ['postgres://app:Zk3v9-Qw8Er\nmore', 'url-password Zk3v9-Qw8Er'],
  ['expect "Password: " { send -- "battery9\\n" }', 'command-password battery9'],
  ['passwd app <<EOF\nZk3v9Qw8Er\nZk3v9Qw8Er\nEOF', 'command-password Zk3v9Qw8Er'],
  ['gh auth login --with-token <<-EOF\n\tbattery9\n\tEOF', 'command-password battery9'],
  [
    'my OpenAI key is 3f9a1c7e5b2d8046af13ce57bd90e2a4',
    'password 3f9a1c7e5b2d8046af13ce57bd90e2a4',
  ],
  ['dave : XAUTH "Zk3v9-Qw8Er"', 'password Zk3v9-Qw8Er'],
  ['Request command: PASS\n        Request arg: battery9', 'command-password battery9'],
  ['printf "battery9\\nbattery9\\n" | passwd bob', 'command-password battery9'],
  ['    NPM_TOKEN    REG_SZ    battery9', 'command-password battery9'],
  ['key: jR7xk2Qv9w/T3b+Zq8mLwA==', 'password jR7xk2Qv9w/T3b+Zq8mLwA=='],
  ["CREATE USER app IDENTIFIED BY '$Kx9q7L*m2Vt';", 'password $Kx9q7L*m2Vt'],
  ["SET PASSWORD FOR app = '*Kx9q7Lm2Vt';", 'password *Kx9q7Lm2Vt'],
  ['amqp://app:$Kx9q7L*m2Vt@queue/', 'url-password $Kx9q7L*m2Vt'],
  ["amqp://app:Tr0ub4dor'3xQ9@queue/", "url-password Tr0ub4dor'3xQ9"],
  ['PASSWORD IS Dragon442@', 'assigned-secret Dragon442@'],
  ['rocommunity battery9 10.0.0.0/8', 'command-password battery9'],
  ['heres my key: 3f9a1c7e5b2d8046af13ce57bd90e2a4', 'password 3f9a1c7e5b2d8046af13ce57bd90e2a4'],
  [
    ' [b]\n type = b2\n account = 0012\n key = 3f9a1c7e5b2d8046af13',
    'command-password 3f9a1c7e5b2d8046af13',
  ],
  ['app:jR7x/k2Qv9+wT3b/Zq8mLw==@tcp(db:3306)/shop', 'command-password jR7x/k2Qv9+wT3b/Zq8mLw=='],
  ['mysql://app:jR7xk2@tcp(db:3306)/shop', 'command-password jR7xk2'],
  ['psql admin:jR7x/k2Qv9+wT3b/Zq8mLw==@db.internal', 'url-password jR7x/k2Qv9+wT3b/Zq8mLw=='],
  ['ssh app7:jR7x/k2Qv9+wT3b/Zq8mLw==@10.0.0.7', 'url-password jR7x/k2Qv9+wT3b/Zq8mLw=='],
  ['bob@example.com:jR7x/k2Qv9+wT3b/Zq8mLw==', 'password jR7x/k2Qv9+wT3b/Zq8mLw=='],
  ['https://x.org/?key=jR7xk2Qv9w/T3b+Zq8mLw==&p=2', 'url-parameter jR7xk2Qv9w/T3b+Zq8mLw=='],
  ['USER bob\n331 go on\nPASS jR7x/k2Qv9+w\n', 'command-password jR7x/k2Qv9+w'],
  ['PASS jR7x/k2Qv9+w\n230 Login successful', 'command-password jR7x/k2Qv9+w'],
  ['USER bob\n331 go on\nPASS summer.rain\n', 'command-password summer.rain'],
  ['PASS summer.rain\n230 Login successful', 'command-password summer.rain'],
  ['{"name": "DB_PASSWORD", "value": "hunter2abcX"}', 'assigned-secret hunter2abcX'],
])('finds %j', (text, found) => {
  expect(find(text)).toContain(found);
});

const NUMBERS = [
  '0A1B2C3D4E5F60718293A4B5C6D7E8F9',
  '3f786850e387550fdab836ed7e6dc881',
  '8c1f5e0a-3b7d-4e62-9a48-1d2f6b7c8e90',
  'gc9u7fzk3hcfmmh3wsqz9n8p6bqy0q4x',
];

it.each([
  "res.cookie('sid', '*', { httpOnly: true })",
  'response.set_cookie("session", "*")',
  'session.cookies.set("sid", "*")',
  'request.addCookie(new Cookie("JSESSIONID", "*"));',
  'client.set_cookie("localhost", "session", "*")',
  "client.cookies['sessionid'] = '*'",
  'driver.add_cookie({"name": "sid", "value": "*"})',
  "context.addCookies([{ name: 'sid', value: '*', url }])",
  '[{"name": "a", "value": "b", "domain": "x"}, {"name": "JSESSIONID", "value": "*", "path": "/"}]',
  '&http.Cookie{\n\tName: "sid",\n\tValue: "*",\n}',
  ".set('Cookie', ['sid=*'])",
  'cookies = "theme=dark; sid=*"',
])('finds the number of a session in %j', (form) => {
  for (const number of NUMBERS) {
    const text = form.replace('*', number);
    const [start, end] = [text.indexOf(number), text.indexOf(number) + number.length];
    expect([...findAssigned(text)].some((one) => one.start <= start && one.end >= end)).toBe(true);
  }
});

it.each([
  "res.cookie('theme', 'a-dark-one-of-2')",
  "Cookies.set('consent', '2026-05-04T11:12:31Z')",
  'driver.add_cookie({"name": "locale", "value": "en-US"})',
  'const cookies = parse("a=b; c=d")',
  "response.setHeader('Set-Cookie', ['type=ninja', 'language=javascript']);",
])('leaves other cookies alone: %j', (text) => {
  expect(find(text)).toEqual([]);
});

it.each([
  '$DB_PASS1',
  '${PW1}',
  '{{ pw1 }}',
  '{pw1}',
  '<your-password1>',
  '%s',
  '%1$s',
  '%(pw)s',
  '***',
])('leaves a placeholder alone: %s', (value) => {
  expect(find(`CREATE USER app IDENTIFIED BY '${value}';`)).toEqual([]);
  expect(find(`amqp://app:${value}@queue/`)).toEqual([]);
  expect(find(`curl -u app:${value} https://x`)).toEqual([]);
});

const WORDS = 'witch collapse practice feed shame open despair creek road again ice least';

it.each([
  [`const mnemonic = ["${WORDS.replaceAll(' ', '", "')}"]`, WORDS.replaceAll(' ', '", "')],
  [`Recovery phrase (12 words):\n1. ${listNumbered()}`, listNumbered()],
  [`Wallet.fromMnemonic("${WORDS}")`, WORDS],
  [`Your secret recovery phrase is ${WORDS}.`, WORDS],
])('finds the words of a wallet: %j', (text, found) => {
  expect(find(text)).toContain(`password ${found}`);
});

function listNumbered(): string {
  return WORDS.split(' ')
    .map((word, at) => (at === 0 ? word : `${at + 1}. ${word}`))
    .join('\n');
}

it.each([
  'A mnemonic: every good boy deserves fudge and cows eat grass.',
  'The recovery phrase is a list of 12 words from which the wallet can be made again.',
  'Why is the token?\nv2.14.0 changed it.',
  'WPA2: supported',
  'Your key is user:1234567890:profile.',
  'The password: must have some kind of sign.',
  '/posts?code=typescript-and-javascript',
  'https://x.org/?code=404',
  'git clone git@github.com:Ab3Org/Tool2Kit',
  'git clone bob@example.com:team/Tool2Kit9',
  'open localhost:3000/api/Users1/Bob2@example.com',
  'see https://x.org/?key=Ab3/Readme',
  'USER bob\nok\nPASS src/login.test.ts',
  'see http://localhost:8080\nand http://example.com:443',
  'the password and send it "now"',
])('leaves %j', (text) => {
  expect(find(text)).toEqual([]);
});

it.each([
  `ALTER ROLE app WITH PASSWORD '§';`,
  `EXECUTE 'ALTER ROLE app PASSWORD ''Zk7x9Qw2Lp''';`,
  `sql: 'CREATE USER app IDENTIFIED BY ''Zk7x9Qw2Lp'';'`,
])('finds a password of SQL to its end, with quotes in it or around it: %s', async (text) => {
  const shown = await redact(text.replace('§', `Zk7x''Q[w9''Lp2`));
  expect(shown).toMatch(/(?:PASSWORD|BY) '{1,2}\[REDACTED:[a-z-]+\]'{1,3};/);
});

it('finds the password of a link to another database', async () => {
  const text = `CREATE PUBLIC DATABASE LINK l CONNECT TO bob IDENTIFIED BY Zk7x9Qw2Lp USING 'x';`;
  expect(await redact(text)).not.toContain('Zk7x9');
});
