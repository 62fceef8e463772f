import { expect, it } from 'vitest';
import { P, base64 } from './made-up.ts';
import { redactText, VALUES } from './redact-text.ts';

const SECRET = P('unshown');
const LINK = `https://h.example/x?next=%2Fcb%3Faccess_token%3D${SECRET}%26a%3D1`;
const COPIED = base64(`DB_PASSWORD=${SECRET}\n`);

/** What a terminal does with a text that it does not show. */
const SEQUENCES: Readonly<Record<string, string>> = {
  'the address of a link': `\u001B]8;;${LINK}\u0007here\u001B]8;;\u0007`,
  'the address of a link of another end': `\u001B]8;;${LINK}\u001B\\here\u001B]8;;\u001B\\`,
  'what is copied': `\u001B]52;c;${COPIED}\u0007`,
  'what is copied in tmux': `\u001BPtmux;\u001B\u001B]52;c;${COPIED}\u0007\u001B\\`,
  'a variable of a terminal': `\u001B]1337;SetUserVar=x=${COPIED}\u0007`,
  'the command of a prompt': `\u001B]633;E;export DB_PASSWORD\\x3d${SECRET}\u0007`,
  'a message of a program': `\u001B_Gf=100;${COPIED}\u001B\\`,
  'what is copied, in the other controls': `\u009D52;c;${COPIED}\u009C`,
};

it.each(Object.entries(SEQUENCES))('finds an encoded secret in %s', async (_what, sequence) => {
  const inJson = JSON.stringify({ output: `a ${sequence} b` });
  const inShell = sequence
    .replaceAll('\u001B', String.raw`\e`)
    .replaceAll('\u0007', String.raw`\a`);
  for (const text of [sequence, `a\n${sequence}b`, inJson, JSON.stringify(inJson), inShell]) {
    const safe = await redactText(text);
    expect(safe).toContain('[REDACTED:');
    expect(safe).not.toContain(SECRET);
    expect(safe).not.toContain(COPIED);
  }
});

it.each(['^[', '', '\u{FFFD}'])(
  'finds the argument of a program in JSON with colors of which %j remains',
  async (beginning) => {
    for (const value of VALUES) {
      const call = JSON.stringify(['mysql', '-u', 'root', `-p${value}`]);
      const colored = call.replaceAll(
        /"[^"]*"|[[\],]/g,
        (token) => `${beginning}[32m${token}${beginning}[0m`,
      );
      expect(await redactText(colored)).not.toContain(value);
    }
  },
);

it.each([undefined, 2])(
  'finds what two members give away in JSON with colors: %s',
  async (indent) => {
    for (const value of VALUES) {
      const json = JSON.stringify({ element: 'Password input', text: value }, undefined, indent);
      const colored = json.replaceAll(/"[^"]*"|[{},:]/g, '\u001B[1;32m$&\u001B[0m');
      for (const text of [`${colored}\n`, `\u{FEFF}${json}`])
        expect(await redactText(text)).not.toContain(value);
    }
  },
);

const MOVES: Readonly<Record<string, (value: string) => string>> = {
  'a column of names': (value) => `Name\u001B[20GValue\npassword\u001B[20G${value}\n`,
  'the argument of a program': (value) => `mysql\u001B[1C-uroot\u001B[C-p${value}\u001B[1Cshop`,
  'the input of a program': (value) =>
    `echo\u001B[1C${value}\u001B[1C|\u001B[1Csudo\u001B[1C-S\u001B[1Cls`,
  'another line': (value) => `\u001B[4;1Hls -l\u001B[5;1Hmysql -p${value} shop\u001B[6;1Hls`,
  'the other controls': (value) => `mysql\u009B1C-uroot\u009BC-p${value}\u009B1Cshop`,
};

it.each(Object.entries(MOVES))(
  'finds a secret behind a move of the cursor: %s',
  async (_what, write) => {
    for (const value of VALUES) {
      const text = write(value);
      const inJson = JSON.stringify({ output: `a\n${text}\nb` });
      for (const one of [text, `before\n${text}`, inJson])
        expect(await redactText(one)).not.toContain(value);
    }
  },
);

/** The end of a line of a file with line ends of Windows, as `git diff --color` shows an added one. */
const COLORED_END = '\u001B[m\u001B[41m\r\u001B[m\n';

it.each([
  'id,name,password\n1,bob,¤\n',
  '| id | password |\n|----|----------|\n| 1 | ¤ |\n',
  '$ pass show web/x\n¤\n',
  '- name: REDIS_PASSWORD\n  value: ¤\n- name: X\n',
])('finds the value in %j on lines that end in a colored return', async (form) => {
  for (const value of VALUES) {
    for (const end of [COLORED_END, '\r\u001B[0m\n', '\r\u001B[K\r\n', '\r\r\n']) {
      const text = form.replace('¤', value).replaceAll('\n', end);
      for (const whole of [text, JSON.stringify({ output: text })])
        expect(await redactText(whole)).not.toContain(value);
    }
  }
});
