import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { redactText } from './redact-text.ts';

const createRedactor = (): Redactor => new Redactor(detectSecrets, []);

it('finds what an edit puts into a file of a secret, and what was there before', async () => {
  const edits = [
    { file_path: '/run/secrets/db', old_string: 'old1!word', new_string: 'hunter2!' },
    { path: 'certs/passphrase.txt', edits: [{ oldText: 'old1!word', newText: 'hunter2!' }] },
    { path: '/run/secrets/db', old_str: 'old1!word', new_str: 'hunter2!' },
  ];
  for (const input of edits) {
    const call = { content: [{ type: 'tool_use', id: 't1', input }] };
    const safe = JSON.stringify(await createRedactor().redact(call, 1));
    for (const value of ['hunter2!', 'old1!word']) expect(safe).not.toContain(value);
  }
});

it('finds what a tool that Codex knows by its server reads or writes of a file of a secret', async () => {
  const redactor = createRedactor();
  const read = JSON.stringify({ path: '/work/.vault_pass' });
  await redactor.redact({ payload: { name: 'read', call_id: 'c1', arguments: read } }, 1);
  const output = JSON.stringify([{ type: 'text', text: 'hunter2!\n' }]);
  for (const shown of ['hunter2!\n', output]) {
    const result = await redactor.redact({ payload: { call_id: 'c1', output: shown } }, 2);
    expect(JSON.stringify(result)).not.toContain('hunter2!');
  }
  const write = JSON.stringify({ path: '/work/.vault_pass', content: 'hunter2!\n' });
  const call = { payload: { name: 'write', call_id: 'c2', arguments: write } };
  expect(JSON.stringify(await createRedactor().redact(call, 1))).not.toContain('hunter2!');
});

it.each(['path', 'filePath', 'relative_path', 'absolute_path', 'target_file', 'filename', 'file'])(
  'finds what a tool reads of a file of a secret that it calls %s',
  async (name) => {
    for (const content of ['hunter2!\n', '{"stdout":"hunter2!\\n","exitCode":0}']) {
      const redactor = createRedactor();
      const input = { [name]: '/work/.vault_pass' };
      await redactor.redact({ content: [{ type: 'tool_use', id: 't1', input }] }, 1);
      const result = { content: [{ type: 'tool_result', tool_use_id: 't1', content }] };
      expect(JSON.stringify(await redactor.redact(result, 2))).not.toContain('hunter2!');
    }
  },
);

it.each([
  'cat > token.txt <<EOF\nthe build of today\nEOF',
  'cat > src/token.ts <<EOF\nexport2!x\nEOF',
  'cat > a.txt <<EOF\nhunter2!\nEOF',
  'cat > master.key <<EOF\n$MASTER_KEY2\nEOF',
  'cat >> /etc/passwd <<EOF\nbob:x:1000:1000::/home/bob:/bin/sh\nEOF',
  'echo "hunter2!" > notes.txt',
])('leaves alone what is written: %j', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});
