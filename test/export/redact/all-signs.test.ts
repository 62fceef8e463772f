import { expect, it } from 'vitest';
import { redact } from './redact-text.ts';

it.each([
  '(qog2&86%0m@avu(v#^3$7390%h9+1c36_gwsys!xu^x8%-cjp',
  '%a%&!!-2gzuv_ef3)-(r%14$qnd-@gc0h+#)!c)m^xqrbt3j&(',
  '%(+u)j+461cs#2_w&hkrcuh%2&+3pw_!c=gh^9#-cgkcg5tc*l',
  '$6f1aj8*l_pf4qk!j@*ufe!&eqqcxz==u2&34frrrf@qw*o_4p',
  '--kml9(5jqe@&en5$!yidliu1+&&h%&qyt-_u(6m1pkq$24wxd',
  '%2kD*+3hz}Jf(B8b[V(d',
  '<!YtvOd}.g;Or;*En>*b&`]t|.y5k!d%',
])(
  'finds a password of all signs in quotes that begins as a placeholder does: %s',
  async (value) => {
    const string = JSON.stringify(value);
    for (const text of [
      `SECRET_KEY = '${value}'`,
      `{"user": "app", "password": ${string}, "port": 1}`,
      `SECRET_KEY = os.environ.get('SECRET_KEY', '${value}')`,
    ]) {
      expect(await redact(text)).toContain('[REDACTED:');
      expect(await redact(text)).not.toContain(value.slice(3, 12));
    }
  },
);

it('finds such a password as an argument of a program', async () => {
  const text = await redact(`mysql -u root -p'%2kD*+3hz}Jf(B8b[V(d' shop`);
  expect(text).toBe(`mysql -u root -p'[REDACTED:command-password]' shop`);
});

it.each(['n[b!eja*-Ib@VJoY', 'Exv.[hlUm*msd]hbal&[M', 'vii&!L##(Ru[p}AX', 'J(z!kV*m@QtW]xb#'])(
  'finds a password of all signs without quotes and digits: %s',
  async (value) => {
    for (const text of [
      `spring.datasource.password=${value}`,
      `[db]\npassword = ${value}\nport = 3`,
      `db:\n  password: ${value}\n  port: 1`,
    ]) {
      expect(await redact(text)).not.toContain(value);
    }
  },
);

it.each([
  'password = "%(user)s:%(pass1)s@%(host)s"; password: "${DB_USER1}:${DB_PASS1}@${DB_HOST1}"',
  "password: \"{{ lookup('env', 'DB_1') | default('x') }}\"; pwd = \"%s:%s@%s/%d?x=1\"",
  'password = "<%= ENV.fetch(\'PW1\') %>"; token: "$(cat /run/x1 | tr -d a)", secret = "@{$x1.y}"',
  'password=get(x)?.y!==z[a]; password: fn(a,b)=>{c}; password=await(this.#x)(y!); pwd=x[i]&&!y(z)',
  'password: Array<Foo>|null; password=(a?b:c)+(d||e)&&f; password=/^[a-z]+$/',
])('takes no template and no expression for a password of all signs: %s', async (text) => {
  expect(await redact(text)).toBe(text);
});
