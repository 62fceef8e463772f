import { expect, it } from 'vitest';
import { redact } from './redact-text.ts';

const SECRET = 'wkBN72raYD19xc';

it.each(['^[[', '[', '␛[', '\ufffd[', 'ESC[', '←['])(
  'reads text without what is left of colours: %s',
  async (by) => {
    const text = `${by}1;31mAKIAQ3EGRT7UPL5XZKNM${by}0m\n${by}32mDB_PASSWORD${by}0m=${by}33mSommer77!${by}0m`;
    expect(await redact(text)).not.toMatch(/Q3EG|XZKNM|Sommer|77!/);
    // A color of `grep` goes on over the end of a line; it, `git` and `tput` end one so.
    const key = `${by}01;31m${by}KAKIAQ3EGRT\n7UPL5XZKNM${by}m${by}K `;
    expect(await redact(key)).not.toMatch(/Q3EG|XZKNM/);
    for (const end of [`${by}m${by}K`, `${by}m`, `${by.slice(0, -1)}(B${by}m`]) {
      const found = `${by}01;31m${by}KAKIA${end}Q3EGRT7UPL5XZKNM\n  ${by}01;31m${by}Kpassword${end}: Sommer77!`;
      expect(await redact(found)).not.toMatch(/Q3EG|XZKNM|Sommer|77!/);
    }
  },
);

it.each(['\0', '^@', String.raw`\u0000`, String.raw`\x00`])(
  'reads the variables and the arguments of a process that %j ends',
  async (end) => {
    const variables = ['LANG=C', 'DB_PASSWORD=Sommer77!', 'HOME=/root', ''].join(end);
    expect(await redact(`${variables}\nit is Sommer77! then`)).not.toContain('Sommer77!');
    const args = ['mysql', '-uroot', `-p${SECRET}`, 'app', ''].join(end);
    const safe = await redact(`${args} there`);
    expect(safe).not.toContain(SECRET);
    expect(safe).toContain(`${end}app`);
  },
);

it.each([
  ['the end of a color', (name: string) => `[1m${name}[0m`],
  ['a color', (_: string, value: string) => `^[[32m${value}^[[0m`],
  ['a color in JSON', (name: string) => String.raw`\u001b[1m${name}\u001b[0m`],
  ['a name with an entity', (name: string) => name.replace('_', '&#95;')],
  ['a value with an entity', (_: string, value: string) => value.replace('N', '&#78;')],
])('reads the lines above and below one with %s', async (_, write) => {
  const [name, value] = ['api_key', SECRET];
  const [isOfName, written] = [write(name, value) !== write('', value), write(name, value)];
  const [key, shown] = isOfName ? [written, value] : [name, written];
  for (const text of [
    `${key}\n\n${shown}`,
    `variable "${key}" {\n  description = "x"\n  type = string\n  default = "${shown}"\n}`,
    `user,${key}\n${'ann,\n'.repeat(9)}bob,${shown}`,
  ])
    expect(await redact(text)).not.toMatch(/wkB|19xc/);
});
