import { describe, expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import type { JsonObject, JsonValue } from '../../../src/session/jsonl/edit/json.ts';
import { getCore, PLANTED } from './planted-secrets.ts';

function everywhere(secret: string): Record<string, object> {
  const entry = (message: object): object => ({ type: 'message', id: 'aaaaaaa1', message });
  return {
    'a user message': entry({ role: 'user', content: `use ${secret} please` }),
    'a text block': entry({ role: 'user', content: [{ type: 'text', text: secret }] }),
    thinking: entry({ role: 'assistant', content: [{ type: 'thinking', thinking: secret }] }),
    'tool arguments': entry({
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c', name: 'bash', arguments: { a: [{ b: secret }] } }],
    }),
    'tool output': entry({
      role: 'toolResult',
      toolCallId: 'c',
      content: [{ type: 'text', text: `$ env\nPATH=/bin\n${secret}\n` }],
    }),
    details: entry({ role: 'toolResult', details: { diff: { path: `/x/${secret}` } } }),
    'a command': entry({ role: 'bashExecution', command: `x '${secret}'`, output: 'ok' }),
    'a label': { type: 'label', targetId: 'aaaaaaa1', label: secret },
    'a name': { type: 'session_info', name: secret },
    'a summary': { type: 'compaction', summary: `The key is ${secret}.` },
    'extension state': { type: 'custom', customType: 'x', data: { deep: [[{ deeper: secret }]] } },
    'a member name': { type: 'custom', data: { [secret]: 1 } },
    'a path': { type: 'session', cwd: `/home/${secret}/x` },
  };
}

const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

describe.each(Object.entries(PLANTED))('%s', (_kind, secret) => {
  it.each(Object.entries(everywhere(secret)))('is taken out of %s', async (_place, payload) => {
    const redactor = new Redactor(detectSecrets, []);
    const safe = JSON.stringify(await redactor.redact(JSON.parse(JSON.stringify(payload)), 7));
    expect(safe).not.toContain(JSON.stringify(getCore(secret)).slice(1, -1));
    expect(safe).toContain('[REDACTED:');
    expect(redactor.redactions.length).toBeGreaterThan(0);
    expect(redactor.redactions.every(({ line }) => line === 7)).toBe(true);
    expect(JSON.stringify(redactor.redactions)).not.toContain(getCore(secret));
  });
});

describe('a redactor', () => {
  it('leaves a path of Windows beside a word for secrets', async () => {
    const path = String.raw`Z:\tmp\coppice-test-AbCd12\store\2026-05-04T09-12-31-204Z_019df25e-3f54-7c31-9a0e-5b8d2f6c1e77.jsonl`;
    const facts = {
      name: 'auth',
      firstMessage: 'Refactor the auth module',
      cwd: '/home/dev',
      path,
    };
    expect(await new Redactor(detectSecrets, []).redact(facts, 0)).toEqual(facts);
  });

  it.each([
    ['the same in base64', toBase64('DB_PASSWORD=wkBN72raYD19xc'), 'wkBN72raYD19xc'],
    [
      'a login in base64',
      `Authorization: Basic ${toBase64('bob:wkBN72raYD19xc')}`,
      'wkBN72raYD19xc',
    ],
    ['a secret of Kubernetes', `kind: Secret\ndata:\n  a: ${toBase64('Sommer77!')}`, 'Sommer77!'],
    [
      'a cookie',
      'Cookie: theme=dark; sid=7f3e9a1c-42b8-4d7a-9e6c-c4f87f226f48',
      '7f3e9a1c-42b8-4d7a-9e6c-c4f87f226f48',
    ],
    ['short base64', 'DB_PASSWORD=Sommer77!', toBase64('Sommer77!')],
    ['a few bytes', 'DB_PASSWORD=Sommer77!', '53 6f 6d 6d 65 72 37 37 21'],
    ['numbers', 'DB_PASSWORD=Sommer77!', '[83,111,109,109,101,114,55,55,33]'],
    [
      'wrapped base64',
      'DB_PASSWORD=VkGq5WODYGAnduio8mZbZFQnKPLprW6ylHT1JREg=',
      'VkGq5WODYG\nAnduio8mZbZFQnKPLprW6ylHT1JREg=',
    ],
    [
      'a wrapped UUID',
      'DB_PASSWORD=02ecadab-b0ac-91d4-1cac-53842fd912be',
      '02ecad\nab-b0ac-91d4-1cac-53842fd912be',
    ],
  ])('takes out elsewhere what is given away by %s', async (_, given, shown) => {
    const redactor = new Redactor(detectSecrets, []);
    const first = { text: `see\n${shown}\nthere` };
    await redactor.learn(first, 1);
    await redactor.learn({ text: `see\n${given}\nthere` }, 2);
    const safe = JSON.stringify(await redactor.redact(first, 1));
    expect(safe).toContain('[REDACTED:');
    expect(safe).not.toContain(shown.slice(0, 6));
    expect(safe).not.toContain(shown.slice(-6));
  });

  it('takes out exact values wherever they stand', async () => {
    const redactor = new Redactor(detectSecrets, ['Project Nightjar']);
    const safe = await redactor.redact({ text: 'about Project Nightjar, and Project Nightjar' }, 1);
    expect(safe).toEqual({ text: 'about [REDACTED:secret-file], and [REDACTED:secret-file]' });
    expect(redactor.redactions).toEqual([
      { rule: 'secret-file', secret: 1, line: 1, field: 'text', count: 2 },
    ]);
  });

  it('keeps the fields before an encoded secret that describe it', async () => {
    const redactor = new Redactor(detectSecrets, []);
    const makeLine = (data: string): JsonObject => ({
      timestamp: '2026-11-20T10:00:10.000Z',
      message: {
        role: 'user',
        content: [
          { type: 'document', source: { type: 'base64', media_type: 'application/json', data } },
        ],
      },
    });
    const secret = Buffer.from(`["${PLANTED['GitHub token']}"]`).toString('base64');
    expect(await redactor.redact(makeLine(secret), 1)).toEqual(makeLine('[REDACTED:github-token]'));
  });

  it('takes the name of a value from the member that holds it', async () => {
    const redactor = new Redactor(detectSecrets, []);
    const outputs = {
      db_password: { sensitive: true, value: 'hunter2' },
      size: { value: 'a-b-c2' },
    };
    expect(await redactor.redact({ outputs }, 1)).toEqual({
      outputs: {
        db_password: { sensitive: true, value: '[REDACTED:secret-member]' },
        size: { value: 'a-b-c2' },
      },
    });
  });

  it('reports no secret that is the name of a member', async () => {
    const redactor = new Redactor(detectSecrets, []);
    const token = PLANTED['GitHub token'] ?? '';
    await redactor.redact({ data: { [`${token} x`]: { password: 'Zk3v9-Qw8Er' } } }, 1);
    expect(redactor.redactions.map(({ field, count }) => [field, count])).toEqual([
      ['data{}', 1],
      ['data.[REDACTED:github-token] x.password', 1],
    ]);
  });

  it('hides one that is a known secret in hexadecimal, and no other', async () => {
    const redactor = new Redactor(detectSecrets, []);
    await redactor.learn({ text: 'DB_PASSWORD=wkBN72raYD19xc' }, 1);
    const hexadecimal = Buffer.from('wkBN72raYD19xc').toString('hex');
    expect(redactor.toSafeId(hexadecimal)).toBe('redacted-1');
    expect(redactor.toSafeId(hexadecimal.replace('77', '78'))).not.toMatch(/^redacted-/);
  });

  it('hides the role of an entry also when it can remember no more secrets', async () => {
    const redactor = new Redactor(detectSecrets, []);
    const token = PLANTED['GitHub token'] ?? '';
    const many = Array.from({ length: 60 }, (_, at) => `sk-a${at}-${`${at}`.padEnd(1900, 'x')}`);
    await redactor.learn({ text: many.join('\n') }, 1);
    await redactor.learn({ type: 'message', message: { role: token } }, 2);
    expect(redactor.toSafeId(token)).toMatch(/^redacted-/);
    expect(redactor.toSafeId('message')).toBe('message');
  });

  it('remembers what a name gave away, however many tokens it found', async () => {
    const redactor = new Redactor(detectSecrets, []);
    const many = Array.from({ length: 60 }, (_, at) => `sk-a${at}-${`${at}`.padEnd(1900, 'x')}`);
    await redactor.learn({ text: many.join('\n') }, 1);
    await redactor.learn({ data: { password: 'correct-horse-battery' } }, 2);
    expect(await redactor.redact({ text: 'typed correct-horse-battery' }, 3)).toEqual({
      text: 'typed [REDACTED:secret-member]',
    });
  });

  it('remembers 290,000 characters of secrets, whatever signs are at their ends', async () => {
    const redactor = new Redactor(detectSecrets, []);
    const toValue = (at: number): string => `a7X${at}wkBN72raYD19xcQ4tZ8v#^:|{~!`;
    for (let at = 0; at < 8600; at += 200) {
      const texts = Array.from({ length: 200 }, (_, by) => `PASSWORD="${toValue(at + by)}"`);
      await redactor.learn({ text: texts.join('\n') }, at + 1);
    }
    const last = toValue(8599);
    expect(last.length * 8600).toBeGreaterThan(290_000);
    expect(redactor.holdsKnown(`typed ${last} there`)).toBe(true);
  });

  it('gives no id that another entry has', async () => {
    const token = PLANTED['GitHub token'] ?? '';
    const redactor = new Redactor(detectSecrets, []);
    const ids = [token, 'redacted-1', 'redacted-2', token];
    await redactor.learn({ id: token }, 1);
    expect(ids.map((id) => redactor.toSafeId(id))).toEqual([
      'redacted-1',
      'redacted-2',
      'redacted-3',
      'redacted-1',
    ]);
  });

  it.each(['Zoë Müller', 'Zoe\u0308 Mu\u0308ller'])(
    'takes out an exact value however its letters are put together: %j',
    async (exact) => {
      const redactor = new Redactor(detectSecrets, [exact]);
      const text = 'Zoë Müller, Zoe\u0308 Mu\u0308ller, Zoë\u00a0Müller';
      expect(await redactor.redact({ text }, 1)).toEqual({
        text: '[REDACTED:secret-file], [REDACTED:secret-file], [REDACTED:secret-file]',
      });
    },
  );

  it('takes out what only begins as an image', async () => {
    const token = PLANTED['GitHub token'] ?? '';
    const data = `iVBORw0KGgo ${token}`;
    const redactor = new Redactor(detectSecrets, []);
    const safe = await redactor.redact({ content: [{ type: 'image', data }] }, 1);
    expect(JSON.stringify(safe)).not.toContain(token);
  });

  it('remembers a secret that was found where it stands again without its name', async () => {
    const redactor = new Redactor(detectSecrets, []);
    await redactor.redact({ data: { password: 'correct-horse-battery' } }, 1);
    const safe = await redactor.redact({ text: 'typed correct-horse-battery' }, 2);
    expect(safe).toEqual({ text: 'typed [REDACTED:secret-member]' });
  });

  it('leaves what is not a secret as the same object', async () => {
    const redactor = new Redactor(detectSecrets, []);
    const payload = {
      type: 'message',
      id: '0f3a9c21',
      timestamp: '2026-03-02T09:30:00.000Z',
      text: 'sha 3f786850e387550fdab836ed7e6dc881de23001b, uuid 0199a3f1-7d2c-7e11-9b1a-2f4c6d8e0a1b',
      code: 'const password = process.env.PASSWORD; token = getToken(); apiKey: "$API_KEY"',
      config: { password: '${DB_PASSWORD}', api_key: 'process.env.KEY', secret: 'null' },
    };
    expect(await redactor.redact(payload, 1)).toBe(payload);
    expect(redactor.redactions).toEqual([]);
  });

  it('never mangles a signature: it stays, or goes with a secret in it or in its words', async () => {
    const token = PLANTED['GitHub token'] ?? '';
    const redactor = new Redactor(detectSecrets, []);
    const kept = { type: 'thinking', thinking: 'fine', thinkingSignature: 'x'.repeat(99) };
    expect(await redactor.redact({ content: [kept] }, 1)).toEqual({ content: [kept] });
    for (const [thinking, thinkingSignature] of [
      [token, 'abc'],
      ['fine', `=${token}`],
    ]) {
      const signed = { type: 'thinking', thinking, thinkingSignature };
      const safe = await redactor.redact({ content: [signed] }, 2);
      expect(Object.keys(safe['content']?.[0 as never] ?? {})).toEqual(['type', 'thinking']);
      expect(JSON.stringify(safe)).not.toContain(token);
    }
  });

  it('knows members by their names that are named as signatures are', async () => {
    for (const name of ['encrypted_password', 'encryptedApiToken', 'X-Amz-Signature']) {
      const safe = await new Redactor(detectSecrets, []).redact(
        { a: { [name]: 'wkBN72raYD19xc' } },
        1,
      );
      expect(safe).toEqual({ a: { [name]: '[REDACTED:secret-member]' } });
    }
  });

  it('keeps what hangs an entry in the tree, and gives ids that hold a secret another', async () => {
    const token = PLANTED['GitHub token'] ?? '';
    const redactor = new Redactor(detectSecrets, []);
    const safe = [
      await redactor.redact({ type: 'message', id: token, parentId: '0a1b2c3d' }, 1),
      await redactor.redact({ type: 'message', id: '0a1b2c3e', parentId: token }, 2),
      await redactor.redact({ type: 'label', targetId: token, label: token }, 3),
    ];
    expect(safe).toEqual([
      { type: 'message', id: 'redacted-1', parentId: '0a1b2c3d' },
      { type: 'message', id: '0a1b2c3e', parentId: 'redacted-1' },
      { type: 'label', targetId: 'redacted-1', label: '[REDACTED:github-token]' },
    ]);
  });

  it('takes out what stands before that which gives it away', async () => {
    const redactor = new Redactor(detectSecrets, []);
    await redactor.learn({ text: 'try correct-horse-battery' }, 1);
    await redactor.learn({ data: { password: 'correct-horse-battery' } }, 2);
    expect(await redactor.redact({ text: 'try correct-horse-battery' }, 1)).toEqual({
      text: 'try [REDACTED:secret-member]',
    });
  });

  it.each([String.raw`pass\next"4`, 'a%41b"c&amp;', String.raw`D\x41\dministrator "7`])(
    'takes out %s in texts within texts, as a file of secrets gives it',
    async (secret) => {
      for (let text = secret, level = 0; level < 4; level += 1, text = JSON.stringify(text)) {
        const safe = await new Redactor(detectSecrets, [secret]).redact(
          { text: `see ${text}.` },
          1,
        );
        expect(JSON.stringify(safe)).toMatch(
          /^\{"text":"see [\\"]*\[REDACTED:secret-file\][\\"]*\."\}$/,
        );
      }
    },
  );

  it.each([
    ['ours\u2764\ufe0fsecret', String.raw`ours\u2764\ufe0fsecret`],
    ['ours\u2764\ufe0fsecret', 'ours&#10084;&#65039;secret'],
    ['soft\u00adhyphen', 'soft%C2%ADhyphen'],
    ['joined\u200dletters', String.raw`\"joined\\u200dletters\"`],
  ])('takes out %j of a file of secrets where what nobody sees in it is escaped', async (...of) => {
    const [secret, text] = of;
    const safe = await new Redactor(detectSecrets, [secret]).redact({ text: `see ${text}.` }, 1);
    expect(JSON.stringify(safe)).toContain('[REDACTED:secret-file]');
  });

  it('takes out what is nested too deeply to be looked at', async () => {
    let deep: JsonValue = PLANTED['GitHub token'] ?? '';
    for (let depth = 0; depth < 1500; depth += 1) deep = [deep];
    const safe = await new Redactor(detectSecrets, []).redact({ deep }, 1);
    expect(JSON.stringify(safe)).toContain('[REDACTED:nested-too-deep]');
    expect(JSON.stringify(safe)).not.toContain('ghp_');
  });

  it('numbers secrets, and counts no line twice that is told twice', async () => {
    const redactor = new Redactor(detectSecrets, ['one-secret', 'another-one']);
    await redactor.redact({ text: 'one-secret, another-one, one-secret' }, 1);
    await redactor.redact({ text: 'one-secret, another-one, one-secret' }, 1);
    expect(redactor.redactions.map(({ secret, count }) => [secret, count])).toEqual([
      [1, 2],
      [2, 1],
    ]);
  });
});
