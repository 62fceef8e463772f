import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { chars, P } from './made-up.ts';
import { redactBetween } from './redact-text.ts';

/** Secrets of people and of programs; each is whole, and no half of it is shown. */
const SECRETS = [P('form'), 'tr0ub4dor&3x', 'pL4s,tq#9x@mVz;7', 'pä$Swö9rdXx2ü'];

/** Forms of text; `*` is the secret. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  'files of secrets': [
    '$ cat auth.txt\nbob\n*\n',
    '<auth-user-pass>\nbob\n*\n</auth-user-pass>',
    "printf 'bob\\n*\\n' > /etc/openvpn/auth.txt",
    'cat > credentials.txt <<EOF\nbob\n*\nEOF',
    'echo "*" > ~/.vnc/passwd',
    "echo '*' | sudo tee /etc/vpn/token",
    'echo "*" > config/master.key',
    "printf '%s' '*' > ~/.gh_token",
    "echo '*' | tee config/master.key",
    'cat > .vault_pass <<EOF\n*\nEOF',
    "sudo tee /etc/app/api_token >/dev/null <<'EOF'\n*\nEOF",
    'cat <<EOF > certs/passphrase.txt\n*\nEOF',
    "bob * 'x' password *",
  ],
  'input of programs': [
    'echo "*" | vercel env add API_KEY production',
    "printf '%s' '*' | npx wrangler secret put API_KEY",
    "printf '%s\\n%s\\n' '*' '*' | passwd bob",
    "(echo '*'; echo '*') | passwd bob",
    '{ echo "*"; echo "*"; } | smbpasswd -s -a bob',
    'echo "*" | su - bob',
    'echo "*" | netlify env:set API_KEY',
    'echo "*" | keyctl padd user x @u',
    'keyring set system bob <<< "*"',
    'gh secret set K < <(echo "*")',
    'vercel env add API_KEY <<< "*"',
  ],
  'arguments of programs': [
    "heroku config:set MAIL='*' -a app",
    "fly secrets set MAIL='*' -a app",
    'aws ssm put-parameter --name /x \\\n  --type SecureString \\\n  --value "*"',
    "eas env:create --name MAIL --value '*'",
    "pulumi config set --secret mail '*'",
    "ansible-vault encrypt_string '*' --name x",
    "crackmapexec smb 10.0.0.1 -u bob -p '*'",
    "mkpasswd -m sha-512 '*'",
    "mkpasswd --method=sha-512 '*'",
    "openssl passwd -6 -salt xyz '*'",
    "ncftpput -u bob -p '*' h . f",
    'php -r \'echo password_hash("*", PASSWORD_BCRYPT);\'',
    'openssl pkcs12 -export -k *',
    'smbclient //srv/share *',
    'secretsdump.py corp/bob:*@10.0.0.1',
    'impacket-wmiexec bob:*@dc01',
  ],
  cookies: [
    'document.cookie="session=" + "*"',
    'setCookie("sid", "*")',
    "res.cookie('sid', '*', { httpOnly: true })",
    'requests.get(u, cookies={"sid": "*"})',
    "s.cookies['sid'] = '*'",
    "page.setCookie({ name: 'sid', value: '*', domain: 'x' })",
    '&http.Cookie{\n\tName: "sid",\n\tValue: "*",\n}',
    'new HttpCookie("sid", "*")',
  ],
  sentences: [
    'use "*" as the password',
    'please use * for the password',
    "the password's *",
    'the new password should be *',
    'set the passphrase to "*"',
    'change the password from old to *',
    '* is the password',
    '`*` is your new password',
    'password -> *',
    'the credentials are bob and *',
    'login: bob / *',
    'default credentials are admin / *',
    'username / password: admin / *',
    '[smtp.x.org]:587 bob@x.org:*',
    'bob@x.org:*\nann@y.org:*',
    'bob : EAP "*"',
    'u: bob p: *',
    'user: bob, pw: *',
    'Unseal Key 1: *',
    '- prompt: Password\n  response: *',
    'type "*" into the password field',
    '{"selector": "#password", "text": "*"}',
  ],
  'talk of programs': [
    'A1 LOGIN bob *',
    'PASS *\r\n230 Login successful',
    'C: PASS *\n+OK',
    'child.expect("assword:")\nchild.sendline("*")',
    'expect "passphrase"\nsend "*\\r"',
    'expect -exact "Password: "\nsend -- "*\\r"\nexpect eof',
    "tn.read_until(b'Password: ')\ntn.write(b'*\\n')",
  ],
  'parts of forms': [
    '--X\r\nContent-Disposition: form-data; name="password"\r\n\r\n*\r\n--X--',
    'Content-Disposition: form-data; name="user[password]"\r\nContent-Type: text/plain\r\n\r\n*\r\n',
    'Content-Disposition: form-data; name="token"; filename="t.txt"\nContent-Type: text/plain\n\n*',
  ],
  'names and calls': [
    'PASS=*',
    'password1=*',
    'password_confirmation: "*"',
    'pass_phrase: *',
    'bindpw *',
    'dbpw=*',
    'hmac_key=*',
    'passwords:\n  bob: *',
    'smtp_pass: *',
    'password: [*]',
    'new Credentials("h", "db", "bob", "*")',
    'UsernamePasswordCredential("id", "tenant", "bob", "*")',
    'WiFi.begin("home", "*")',
    'mqtt.username_pw_set("bob", "*")',
  ],
};

it.each(Object.entries(FORMS))('finds a secret in %s', async (_kind, forms) => {
  const shown: string[] = [];
  for (const form of forms) {
    for (const secret of SECRETS) {
      const safe = await redactBetween(form.replaceAll('*', () => secret));
      const halves = [secret.slice(0, 6), secret.slice(-6)];
      if (halves.some((half) => safe.includes(half))) shown.push(`${form}: ${safe}`);
    }
  }
  expect(shown).toEqual([]);
});

it.each([
  ['K3S_URL=x --token K10#::node:*', 'zk-3v-9q'],
  ['mkpasswd -m sha-512 *', 'hunter269'],
  ['the password is *', 'hunter269'],
  ['set its password to `*`', 'Sommer77!'],
  ['bob@x.org:*', 'hunter269'],
  ['Set the passphrase to *.', 'horse-77-battery'],
  ['a LOGIN bob *', 'horsebattery'],
  ['echo "*" | docker login -u bob --password-stdin', 'horsebattery'],
  ['334 UGFzc3dvcmQ6\n*\n235 ok', 'aG9yc2U='],
  ['C: AUTH PLAIN\nS: 334\nC: *\n', 'AGJvYgBob3JzZWJhdHRlcnk='],
  ['PIN: *', '739104'],
  ['Your PIN is *', '7391'],
  ['"otp": "*"', '739104'],
  ['Your one-time passcode is *', '739-104'],
  ['Your verification code is **', '739104'],
  ['* is your verification code', '739104'],
  ['Enter code * to sign in', '739104'],
  ['PUK=*', '73910455'],
  ['Your PIN is *.', '739104'],
  ['<p>Your verification code is <strong>*</strong></p>', '739104'],
  ['<p>Your code is:</p>\n<h1>*</h1>', '739104'],
  ['<td>PIN:</td><td>*</td>', '739104'],
  ['Your verification code is *. It expires soon.', '739104'],
  ['I use bob@x.org:*.', 'hunter269'],
  ['<pre>bob@x.org:*</pre>', 'hunter269'],
  ['Open https://example.com/reset/token/*.', 'wkBN72raYD19xc'],
  ['- db.internal:5432:shop:app:*', 'hunter269'],
  ['    db.internal:5432:shop:app:*', 'hunter269'],
  ['home/bob/.pgpass-3-db.internal:5432:shop:app:*', 'hunter269'],
  ['Recovery codes: 1a2b3-c4d5e, *, 8e1d0-c3b5a', '7f3a9-b2c4d'],
  ['Backup codes:\n1. 4821 9930\n2. *\n3. 4444 5555', '7731 0042'],
  ['"recovery_codes": ["1a2b3-c4d5e", "*"]', '7f3a9-b2c4d'],
  ['scratch codes:\n    *\n    12345678', '87654321'],
  ['Cookie: PHPSESSID=*', 'horsebattery'],
])('finds the secret in %j', async (form, secret) => {
  const text = form.replace('#', 'a1b2c3d4'.repeat(8)).replace('*', () => secret);
  expect(await redactBetween(text)).not.toContain(secret);
});

const LINE_BEGINNINGS = ['', '+', '> ', '# ', '// ', '$ ', '    12\t', '     1→', '[10:00:00] '];

it.each([
  '$ cat auth.txt\nbob\n*',
  '<auth-user-pass>\nbob\n*\n</auth-user-pass>',
  'Recovery codes:\n  1a2b3-c4d5e\n  *',
  'Backup codes:\n1. 4821 9930\n2. *',
  'Content-Disposition: form-data; name="token"\nContent-Type: text/plain\n\n*',
])('finds a secret below a line whatever lines begin with: %j', async (form) => {
  for (const beginning of LINE_BEGINNINGS) {
    const text = form.replace('*', 'Zk3v9Qw8-x42ErT7').replace(/^/gm, beginning);
    expect(await redactBetween(text)).not.toContain('Zk3v9Qw8');
  }
});

it('finds a secret behind a name of another language in a URL', async () => {
  const text = encodeURIComponent('пароль: Zk3v9Qw8-x42ErT7');
  expect(await redactBetween(`https://example.com/?q=${text}`)).not.toContain('Zk3v9Qw8');
});

it.each([
  [(v: string) => ['mysql', '-u', 'root', `-p${v}`, 'shop']],
  [(v: string) => ['sshpass', '-p', v, 'ssh', 'h']],
  [(v: string) => ['curl', '-u', `bob:${v}`, 'https://example.com/']],
  [(v: string) => ({ label: 'Password', value: v })],
  [(v: string) => ({ op: 'replace', path: '/spec/password', value: v })],
  [(v: string) => ({ element: 'Password field', text: v })],
  [(v: string) => ({ selector: 'input[type=password]', text: v })],
  [(v: string) => ({ question: 'Which database password?', answer: v })],
  [(v: string) => ({ passwords: { bob: v, ann: v } })],
  [(v: string) => ({ user: { password: { new: v } } })],
  [(v: string) => ({ secrets: { MAIL: v } })],
  [(v: string) => ({ tokens: { access: v, refresh: v } })],
  [(v: string) => ({ cookies: { sid: v } })],
  [(v: string) => ({ cookies: [{ name: 'sid', value: v }] })],
  [(v: string) => ({ rawHeaders: ['Cookie', `sid=${v}`, 'X-Api-Key', v] })],
  [(v: string) => ({ пароль: v })],
  [(v: string) => ({ 'mot de passe': v })],
  [(v: string) => ({ 密码: v })],
  [(v: string) => ({ 'Setup code': v, device_code: v })],
  [(v: string) => ({ 'Token ID': v, 'Password reset': v })],
  [(v: string) => ({ tokens: [v] })],
  [(v: string) => ({ tokens: { bob: v }, apiKeys: { bob: v } })],
  [(v: string) => ({ credentials: { bob: v } })],
  [(v: string) => ({ creds: [v] })],
  [(v: string) => ({ id: 'password', content: v })],
  [(v: string) => ({ Name: 'DB_PASSWORD', Type: 'String', Value: v })],
  [(v: string) => ({ field: 'api_key', default: v })],
  [(v: string) => ({ Authorization: `Key ${v}` })],
  [(v: string) => ({ headers: ['Authorization', `Foo ${v}`] })],
  [(v: string) => ({ Authorization: `Digest username="bob", response="${v}"` })],
  [(v: string) => ({ SecretString: JSON.stringify({ user: 'bob', foo: v }) })],
  [(v: string) => ['bw', 'unlock', v]],
  [(v: string) => ['/usr/bin/wandb', 'login', v]],
])('finds the secret in members and lists: %s', async (make) => {
  for (const secret of ['Sommer77!', P('member')]) {
    const input = make(secret);
    // Codex has the arguments of a call as JSON in a string.
    const json = JSON.stringify(input);
    const inJson = JSON.stringify({ input: json });
    for (const given of [input, json, JSON.stringify(input, undefined, 2), inJson]) {
      const safe = await new Redactor(detectSecrets, []).redact({ input: given }, 1);
      expect(JSON.stringify(safe)).not.toContain(secret);
    }
  }
});

it.each([
  'mysql -u root -p`*` shop',
  'sshpass -p `*` ssh h',
  'redis-cli -a `*`',
  'curl -u bob:`*` https://example.com',
  'docker login -u bob -p `*`',
  'net use \\\\srv\\x `*`',
  'ssh-keygen -N `*` -f k',
  'openssl enc -k `*`',
  'rabbitmqctl add_user bob `*`',
  'evil-winrm -i h -u bob -p `*`',
  'NickServ IDENTIFY `*`',
  'lftp -u bob,`*` h',
  'http -a bob:`*` h',
  'PASS `*`\r\n230 ok',
])('finds a secret in backticks or in bold: %s', async (form) => {
  for (const secret of [...SECRETS, 'Sommer77!']) {
    const text = form.replace('*', () => secret);
    for (const marked of [text, text.replaceAll('`', '**')]) {
      const safe = await redactBetween(marked);
      expect(safe).not.toContain(secret.slice(0, 6));
      expect(safe).not.toContain(secret.slice(-6));
    }
  }
});

it.each([
  'the password is *: do not share it',
  'the password is *… and so on',
  '[the password is *](https://example.com)',
  '[Das Passwort ist *](x)',
  '「la contraseña es *」',
  'so password [*]!',
  'it was API key (*)?',
  '(Authorization: Key *)',
  'use creds bob / *」',
  'so PASSWORDS[bob]=*<br>',
])('finds a secret before what ends a sentence: %s', async (form) => {
  for (const secret of ['Sommer77!', '4f2a9c1b7d3e8a605c4b1f9e2d7a8c3b']) {
    const safe = await redactBetween(form.replace('*', () => secret));
    expect(safe).not.toContain(secret.slice(0, 7));
    expect(safe).not.toContain(secret.slice(-7));
  }
});

it.each([`Zk3v'9Qw8x42ErT7`, 'Zk3v"9Qw8x42ErT7'])(
  'finds an argument that holds another kind of quote: %s',
  async (secret) => {
    const quote = secret.includes('"') ? "'" : '"';
    for (const form of ['getConnection(u, "bob", "*")', 'jwt.sign("x", "*")', 'btoa("bob:*")']) {
      const safe = await redactBetween(form.replaceAll('"', quote).replace('*', () => secret));
      expect(safe).not.toContain('9Qw8x42ErT7');
    }
  },
);

it.each([
  { tokens: { space2: '12.5rem', input: 'text12', access: 'public' } },
  { cookies: { theme: 'dark' } },
  { input: ['mkdir', '-p', 'src/data1', 'Build2'] },
  { label: 'Password', value: 'Required' },
  { question: 'Which token?', answer: 'The one of step 2, please' },
  { password: { type: 'string', format: 'sha256', pattern: '^[a-z0-9]+$' } },
  { lines: ['-password: old', '+next: 1'] },
  { tokens: ['The', 'word2', '##ing'], credentials: { bob: 'none', type: 'oauth2' } },
  { id: 'password', content: 'Required' },
  { Authorization: 'Bearer of the token', 'Status code': 'E404', 'Access code': 'optional' },
  { input: ['bw', 'list', 'items2'] },
])('leaves members and lists alone: %j', async (payload) => {
  expect(await new Redactor(detectSecrets, []).redact(payload, 1)).toBe(payload);
});

it.each(['stR13123zGfAfg6', 'intQ7vR2mKx9', 'noneX4tB8pLq2w', 'yourK3vZ9mQ2x7'])(
  'takes out %s, which begins as a placeholder does',
  async (secret) => expect(await redactBetween(`pass = "${secret}"`)).not.toContain(secret),
);

it.each([
  'docker login -u AWS -p * https://h',
  "mysql -u root -p'*' shop",
  'curl -u bob:* https://h/',
  'git clone https://bob:*@h/x.git',
  'redis-cli -a "*" ping',
])('finds a secret of 1,000 characters in %s', async (form) => {
  const secret = chars(form, 1000);
  const safe = await redactBetween(form.replace('*', secret));
  expect(safe).not.toMatch(
    new RegExp(`${secret.slice(0, 8)}|${secret.slice(400, 408)}|${secret.slice(-8)}`),
  );
});
