import { describe, expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
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
  it('takes out exact values wherever they stand', async () => {
    const redactor = new Redactor(detectSecrets, ['Project Nightjar']);
    const safe = await redactor.redact({ text: 'about Project Nightjar, and Project Nightjar' }, 1);
    expect(safe).toEqual({ text: 'about [REDACTED:secret-file], and [REDACTED:secret-file]' });
    expect(redactor.redactions).toEqual([
      { rule: 'secret-file', line: 1, field: 'text', count: 2 },
    ]);
  });

  it('remembers a secret that was found where it stands again without its name', async () => {
    const redactor = new Redactor(detectSecrets, []);
    await redactor.redact({ data: { password: 'correct-horse-battery' } }, 1);
    const safe = await redactor.redact({ text: 'typed correct-horse-battery' }, 2);
    expect(safe).toEqual({ text: 'typed [REDACTED:secret-member]' });
  });

  it('leaves what is no secret as the same object', async () => {
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

  it('never mangles a signature: it stays, or goes with the words it was over', async () => {
    const token = PLANTED['GitHub token'] ?? '';
    const redactor = new Redactor(detectSecrets, []);
    const kept = { type: 'thinking', thinking: 'fine', thinkingSignature: `x${token}y` };
    expect(await redactor.redact({ content: [kept] }, 1)).toEqual({ content: [kept] });
    const signed = { type: 'thinking', thinking: token, thinkingSignature: 'abc' };
    const safe = await redactor.redact({ content: [signed] }, 2);
    expect(safe).toEqual({
      content: [{ type: 'thinking', thinking: expect.stringMatching(/^\[REDACTED:/) }],
    });
  });

  it('keeps what hangs an entry in the tree, whatever it looks like', async () => {
    const token = PLANTED['GitHub token'] ?? '';
    const redactor = new Redactor(detectSecrets, [token]);
    const payload = { type: 'message', id: token, parentId: token, message: { text: token } };
    const safe = await redactor.redact(payload, 1);
    expect(safe).toMatchObject({ id: token, parentId: token });
    expect(safe['message']).not.toEqual({ text: token });
  });
});
