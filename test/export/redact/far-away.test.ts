import { describe, expect, it } from 'vitest';
import { VALUES, redactText } from './redact-text.ts';

const many = (count: number, make: (at: number) => string, between = ' '): string =>
  Array.from({ length: count }, (_, at) => make(at)).join(between);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const [hexadecimal = '', ofPerson = ''] = VALUES;
const COOKIES: readonly string[] = [hexadecimal, '3f786850-e387-550f-dab8-36ed7e6dc881'];

/** Programs with many arguments, or a long one, before a secret. */
const COMMANDS: readonly string[] = [
  `mysqldump -h db -u root ${many(60, (at) => `--ignore-table=shop.t${at}`)} -p* shop`,
  `mysql -h db -e "${many(25, (at) => `SELECT a, b FROM t${at} WHERE x = 1;`)}" -u root -p* shop`,
  'mysql -u root -e "SELECT\n  a\nFROM t;\n" -p* shop',
  "mongosh --eval '\ndb.x.find();\n' -p *",
  `zip -r x.zip ${many(60, (at) => `src/file${at}.txt`)} -P *`,
  `7z a x.7z ${many(60, (at) => `src/file${at}.txt`)} -p*`,
  `ldapsearch -H ldap://h ${many(60, (at) => `attr${at}`)} -D cn=x -w *`,
  `spawn("mysqldump", ["-u", "root", ${many(50, (at) => `"--ignore-table=t${at}"`, ', ')}, "-p*", "shop"])`,
  `{"argv": ["redis-cli", ${many(60, (at) => `"--x${at}"`, ', ')}, "-a", "*"]}`,
  `docker exec db mysqldump ${many(60, (at) => `--ignore-table=t${at}`)} -p* shop`,
];

/** Long lists and rows, and a secret at their end. */
const LISTS: readonly string[] = [
  ` password \n----------\n${many(300, (at) => ` word${at}`, '\n')}\n *\n(301 rows)`,
  `passwords = [\n${many(1200, (at) => `  "word${at}",`, '\n')}\n  "*"\n]`,
  `[passwords]\n${many(1200, (at) => `user${at} = word${at}`, '\n')}\nbob = *`,
  `passwords:\n${many(1200, (at) => `  user${at}: word${at}`, '\n')}\n  bob: *`,
  `passwords:\n  ann: word\n${many(12, (at) => `  # remark ${at}`, '\n')}\n  bob: *`,
  `id,text,password\n1,${many(9000, () => 'words')},*`,
  `Authorization: OAuth ${many(30, (at) => `oauth_p${at}="abc"`, ', ')}, oauth_signature="*"`,
];

const HEADERS: readonly string[] = [
  "'set-cookie': [\n  'session=*; Path=/',\n  'theme=dark; Path=/'\n],",
  "'set-cookie': [ 'theme=dark; Path=/', 'session=*; Path=/; HttpOnly', 'a=b; Path=/' ],",
  `"set-cookie": [${many(20, (at) => `"theme${at}=dark; Path=/"`, ', ')}, "session=*; Path=/", "a=b"]`,
  '"cookies": [{"name": "theme", "value": "dark"}, {"name": "sid", "value": "*"}]',
  `"cookies": [\n${many(30, (at) => `  {\n    "name": "c${at}",\n    "value": "v"\n  },`, '\n')}\n  {\n    "name": "sid",\n    "value": "*"\n  }\n]`,
];

const USERS: readonly string[] = [
  'chpasswd <<EOF\nroot:x\nbob:*\nann:y\nEOF',
  "sudo chpasswd -e <<'EOF'\nbob:*\nEOF",
  "echo 'bob:*\nann:x1' | chpasswd",
  'printf "ann:x1\\nbob:*\\nroot:y1" | sudo chpasswd',
];

/** Several secrets on a line, each of another place. */
const SEVERAL: readonly string[] = [
  'echo "*1" | gh secret set A; echo "*2" | gh secret set B; echo "*3" | gh secret set C',
  'echo *1 | sudo -S apt update && echo *2 | sudo -S ls && echo *3 | sudo -S id',
  'echo *1 | docker login -u a --password-stdin r && echo *2 | docker login -u b --password-stdin s; echo *3 | passwd --stdin x',
  'echo "*1" > ~/.vnc/passwd; echo "*2" > ~/.vault_pass; echo "*3" > ~/.pgpass',
  'heroku config:set MAIL=*1 FOO=*2 BAR=*3',
  'heroku config:set MAIL=*1 FOO="*2" BAR=\'*3\' NODE_ENV=production --app x',
  'fly secrets set \\\n  MAIL=*1 \\\n  FOO=*2 \\\n  BAR=*3',
  'vault kv put secret/x mail=*1 foo=*2 bar=*3',
  'railway variables set MAIL=*1 FOO=*2 BAR=*3',
  'az webapp config appsettings set -n x --settings MAIL=*1 FOO=*2 BAR=*3',
];

const put = (form: string, value: string): string => form.replaceAll('*', () => value);

describe('redaction', () => {
  it.each([...COMMANDS, ...LISTS])('finds a secret far from what names it: %#', async (form) => {
    for (const value of VALUES) {
      expect(await redactText(`see\n${put(form, value)}\nthere`)).not.toContain(value);
    }
  });

  it.each(HEADERS)('finds each cookie of a list: %#', async (form) => {
    for (const value of COOKIES) {
      expect(await redactText(put(form, value))).not.toContain(value);
      expect(await redactText(JSON.stringify(put(form, value)))).not.toContain(value);
    }
  });

  it.each(SEVERAL)('finds each of several secrets on a line: %#', async (form) => {
    const safe = await redactText(
      VALUES.reduce((text, value, at) => text.replace(`*${at + 1}`, () => value), form),
    );
    expect(VALUES.filter((value) => safe.includes(value))).toEqual([]);
  });

  it.each(USERS)('finds each random password of a list of users: %#', async (form) => {
    expect(await redactText(put(form, hexadecimal))).not.toContain(hexadecimal);
  });

  it('finds the last of many recovery codes', async () => {
    const codes = many(60, (at) => `${1000 + at}a-c4d5e`, '\n');
    expect(await redactText(`Recovery codes:\n${codes}\n7f3a9-d4e5f`)).not.toContain('7f3a9');
  });

  it('finds the data of a secret of Kubernetes behind long notes, but not those of another object', async () => {
    const notes = many(60, (at) => `    example.com/note-${at}: "${'words '.repeat(12)}"`, '\n');
    const secret = `apiVersion: v1\nkind: Secret\nmetadata:\n  annotations:\n${notes}\n`;
    const data = `data:\n  foo: ${base64(ofPerson)}\n`;
    expect(await redactText(secret + data)).not.toContain(base64(ofPerson));
    const other = `${secret}---\napiVersion: v1\nkind: ConfigMap\n${data.replace(base64(ofPerson), 'true')}`;
    expect(await redactText(other)).toContain('foo: true');
  });

  it('takes no plain words for arguments far from a program', async () => {
    const text = `use zip to pack ${many(60, () => 'words')} -P words`;
    expect(await redactText(text)).toContain(text);
  });
});
