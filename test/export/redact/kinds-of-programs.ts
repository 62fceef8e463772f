import { base64, chars, DIGITS, HEX, LOWER, P } from './made-up.ts';

/** Secrets that programs are given, that servers ask for, and that people keep; `*` is the secret. */
export const PROGRAMS: Readonly<Record<string, readonly [text: string, secret: string]>> = {
  'file of a user and a password': ['$ cat auth.txt\nbob\n*\n', P('authfile')],
  'input of a program': ["printf '%s' '*' | vercel env add API_KEY", P('input')],
  'file of a password': ['echo "*" > ~/.vnc/passwd', P('vnc')],
  'variable of Heroku': ['heroku config:set MAIL=*', P('herokuset')],
  'user and password of a program': ['evil-winrm -i 10.0.0.1 -u bob -p *', P('winrm')],
  'cookie in code': ["res.cookie('sid', '*', { httpOnly: true })", P('rescookie')],
  'session of PHP': ['PHPSESSID=*', chars('phpsessid', 26, LOWER + DIGITS)],
  PIN: ['Your PIN is *', '739104'],
  'one-time code': ['Your verification code is *', '739104'],
  'recovery code': ['Recovery codes:\n  1a2b3-c4d5e\n  *', '7f3a9-b2c4d'],
  'list of users': ['bob@example.com:*', 'hunter269'],
  'user and password in a sentence': ['login: bob / *', P('slash')],
  'as the password': ['use * as the password', 'hunter269'],
  'AUTH LOGIN': ['334 UGFzc3dvcmQ6\n*\n235 ok', base64(P('authlogin'))],
  'AUTH PLAIN': ['AUTH PLAIN *', base64(`\0bob\0${P('authplain')}`)],
  'PASS without a user': ['PASS *\r\n230 Login successful', P('passonly')],
  'login of IMAP': ['A1 LOGIN bob *', P('imap')],
  expect: ['child.expect("assword:")\nchild.sendline("*")', P('pexpect')],
  'token of K3s': [`K10${chars('k3s', 64, HEX)}::node:*`, chars('k3s2', 32, HEX)],
  ncftp: ['ncftpput -u bob -p * example.com . f', P('ncftp')],
  mkpasswd: ['mkpasswd -m sha-512 *', P('mkpasswd')],
  'fourth argument': ['new Credentials("h", "db", "bob", "*")', P('fourth')],
  'argument near its word': ['mqtt.username_pw_set("bob", "*")', P('near')],
};
