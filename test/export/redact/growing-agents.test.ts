import { appendFile, cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDocument } from '../../../src/export/open-document.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { toText } from '../../../src/session/read/turns/subagent-turns.ts';
import { createSourceReader } from '../../../src/store/sessions/surroundings.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';

const HOME = join(import.meta.dirname, '../../fixtures/claude-code/home');
const TOOLS = '.claude/projects/-home-u-demo-project/aaaaaaaa-0000-4000-8000-000000000001.jsonl';
const SECRET = 'Zk4tR9wQ7xLm2Ue8';

/** The text of a session whose sub-agents go on working when its secrets are learnt. */
async function readWhileGrowing(
  path: string,
  branch: string | undefined,
  grow: () => Promise<void>,
): Promise<string> {
  const { signal } = new AbortController();
  const source = await createSourceReader({ env: {} })(path, { signal });
  const document = await openDocument(source, {
    scope: { branch, allBranches: false, fullHistory: true },
    filter: { thinking: true, tools: true, images: 'drop' },
    redactor: new Redactor(detectSecrets, []),
    generator: 'test',
    showsSubagents: true,
    signal,
  });
  await grow();
  const said: string[] = [];
  for await (const turn of document.turns()) said.push(...toText(turn));
  return said.join('\n');
}

it('shows no line of a sub-agent that was written after the secrets were learnt: Claude Code', async () => {
  const cwd = await makeTempDir();
  await cp(join(HOME, '.claude'), join(cwd, '.claude'), { recursive: true });
  const path = join(cwd, TOOLS);
  const folder = join(path.replace('.jsonl', ''), 'subagents');
  const logs = (await readdir(folder)).filter((one) => one.endsWith('.jsonl'));
  for (const log of logs) {
    const text = await readFile(join(folder, log), 'utf8');
    await writeFile(join(folder, log), text.replaceAll('count', `${SECRET} count`));
  }
  const shown = await readWhileGrowing(path, '4d90f0', async () => {
    for (const log of logs) {
      const text = await readFile(join(folder, log), 'utf8');
      const line = text.split('\n').find((one) => one.includes(SECRET)) ?? '';
      await appendFile(join(folder, log), `${line.replaceAll(SECRET, `DB_PASSWORD=${SECRET}`)}\n`);
    }
  });
  expect(shown).toContain(SECRET);
  expect(shown).not.toContain('DB_PASSWORD');
});

it.each([
  ['in one file', '-54ad-7773-b355-e5616e5c1e65.jsonl'],
  ['that continues another file', '_01a1fffd-59d8-7800-b244-2a85526d31a4.jsonl'],
])('shows no line of a sub-agent that was written later: Codex, %s', async (_kind, end) => {
  const home = await makeTempDir();
  await cp(join(FIXTURES, 'home'), home, { recursive: true });
  const day = join(home, 'sessions/2026/11/21');
  const names = await readdir(day);
  const [parent = '', child = ''] = ['-546c-7510-b5fc-2cd045944e1a.jsonl', end].map((part) =>
    join(day, names.find((one) => one.endsWith(part)) ?? ''),
  );
  const text = await readFile(child, 'utf8');
  const { payload }: { payload: { id: string } } = JSON.parse(text.split('\n')[0] ?? '');
  const began = await readFile(parent, 'utf8');
  await writeFile(parent, began.replaceAll('01a1fffd-54ad-7773-b355-e5616e5c1e65', payload.id));
  const message = text.split('\n').findLast((line) => line.includes('"role":"assistant"')) ?? '';
  const shown = await readWhileGrowing(parent, undefined, () =>
    appendFile(child, `${message.replace(/"text":"[^"]*"/, '"text":"written later"')}\n`),
  );
  expect(shown).toContain('Sub-agent');
  expect(shown).not.toContain('written later');
});

it('takes out what only the header of an earlier file of a thread gives away', async () => {
  const home = await makeTempDir();
  await cp(join(FIXTURES, 'home'), home, { recursive: true });
  const day = join(home, 'sessions/2026/11/21');
  const names = await readdir(day);
  const [earlier = '', later = ''] = [
    '-35-01a1fffd-592e-7483-a952-5eb79e5a9b63',
    '2a85526d31a4',
  ].map((end) => join(day, names.find((one) => one.endsWith(`${end}.jsonl`)) ?? ''));
  const text = await readFile(earlier, 'utf8');
  const changed = text
    .replace('https://example.invalid', `https://bob:${SECRET}@example.invalid`)
    .replaceAll('First idea', `First ${SECRET}`);
  await writeFile(earlier, changed);
  // The later file says the byte at which it goes on.
  const file = await readFile(later, 'utf8');
  const [, end = ''] = /"end_byte_offset":(\d+)/.exec(file) ?? [];
  const lines = text.slice(0, Number(end)).split('\n').length - 1;
  const moved = changed.split('\n').slice(0, lines).join('\n').length + 1;
  await writeFile(later, file.replace(`"end_byte_offset":${end}`, `"end_byte_offset":${moved}`));
  const shown = await readWhileGrowing(later, undefined, () => Promise.resolve());
  expect(shown).toContain('First [REDACTED');
  expect(shown).not.toContain(SECRET);
});
