import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { redactText, VALUES } from './redact-text.ts';

it.each([
  'password: |2\n  ¤\nhost: x',
  'password: >-2\n  ¤\nhost: x',
  'api_token: | # of the job\n  ¤\nhost: x',
  'password: !!str |\n  ¤\nhost: x',
  'password: &pw >-\n\n  ¤\n\nhost: x',
  'password = <<-EOT\n    ¤\n  EOT\n',
  "$password = <<<'EOT'\n¤\nEOT;\n",
  'password = <<~PW.strip\n  ¤\nPW\n',
  "$password = @'\n¤\n'@\n",
  'password: |||\n  ¤\n|||,',
  'val password = """\n    ¤\n""".trimIndent()',
  "password = '''\\\n¤\\\n'''",
  "  password = ''¤'';",
  "  password = ''\n    ¤\n  '';",
  'password = r"""¤"""',
  "password = rb'''¤'''",
])('finds a value in %j', async (text) => {
  for (const value of VALUES)
    expect(await redactText(text.replace('¤', value))).not.toContain(value);
});

it.each(["password: '',\ntoken: ''", 'password: |\n  see the wiki2\n', "password = ''\n"])(
  'leaves %j as it is',
  async (text) => {
    expect(await redactText(text)).toBe(JSON.stringify({ text }));
  },
);

it.each([
  'Content-Type: text/plain\r\n',
  'Content-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit\r\n',
  '',
])('finds a part of a form with the headers %j', async (headers) => {
  for (const value of VALUES) {
    for (const name of ['"password"', '"user[password]"', '"password"; filename="blob"']) {
      const part = `Content-Disposition: form-data; name=${name}\r\n${headers}\r\n${value}\r\n`;
      expect(await redactText(`--x\r\n${part}--x--`)).not.toContain(value);
    }
  }
});

it.each(['realm="The private area (1)"', 'realm=""', 'uri="/a?b=c,d"', `realm="Bob's"`])(
  'finds what answers a server behind the parameter %j',
  async (parameter) => {
    for (const value of VALUES) {
      for (const header of [
        `Authorization: Digest username="bob", ${parameter}, response="${value}"`,
        JSON.stringify({ Authorization: `Digest ${parameter}, response="${value}"` }),
      ]) {
        expect(await redactText(header)).not.toContain(value);
      }
    }
  },
);

/** A screen of a terminal that is copied with its blanks. */
const fill = (text: string): string => text.replaceAll(/^.*$/gm, (line) => line.padEnd(100));

it.each([
  '- name: REDIS_PASSWORD\n  value: ¤\n- name: X',
  '$ pass show web/x\n¤\n$ ls',
  '["password"]=>\n  string(14) "¤"\n',
  'password:\n  ¤\nhost: x',
  "password = '''\n¤\n'''\n",
  'password: |\n  ¤\nhost: x',
  ' password \n----------\n ¤\n(1 row)',
])('finds the value in %j on lines that are filled with blanks', async (text) => {
  for (const value of VALUES) {
    expect(await redactText(fill(text.replace('¤', value)))).not.toContain(value);
  }
});

it.each([
  'id\tname\tpassword\n1\tbob\t¤',
  '| id | password |\n|----|----------|\n| 1 | ¤ |',
  ' id | password\n----+----------\n  1 | ¤\n(1 row)',
  'irb(main):001> ENV["API_TOKEN"]\n=> "¤"',
  '> CONFIG GET requirepass\n1) "requirepass"\n2) "¤"',
  'root@h:~# kubectl get secret x -o jsonpath="{.data.password}" | base64 -d\n¤',
])('finds the value in %j whose lines are blocks', async (text) => {
  for (const value of VALUES) {
    for (const end of ['', '\n', '\r\n']) {
      const lines = text.replace('¤', value).split('\n');
      const content = lines.map((line) => ({ type: 'text', text: line + end }));
      const redacted = await new Redactor(detectSecrets, []).redact({ content }, 1);
      expect(JSON.stringify(redacted)).not.toContain(value);
    }
  }
});

it.each(['\n', '\r\n', ' \r\n'])(
  'ends a collection that is not closed at %j by itself',
  async (feed) => {
    const text = `tokens[level] = {${feed}${feed}    def read(stack=('+i6t-root',)):`;
    expect(await redactText(text)).toBe(JSON.stringify({ text }));
  },
);

it.each(['\n', '^M\n'])(
  'finds a value that a diff adds below its name and another member, %j',
  async (feed) => {
    for (const value of VALUES) {
      const object = `   {\n     "name": "DB_PASSWORD",\n     "sync": false,\n+    "value": "${value}"\n   }`;
      const table = `+[redis]${feed}+  x = 1${feed}+name,password${feed}+bob,${value}${feed}`;
      for (const text of [object.replaceAll('\n', feed), table])
        expect(await redactText(text)).not.toContain(value);
    }
  },
);
