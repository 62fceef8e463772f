import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { exportSession, SessionManager } from '../../../src/index.ts';
import { FORMAT_NAMES } from '../../../src/export/formats/formats.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';
import { ANSWER, QUESTION } from '../conversation.ts';

it.each(FORMAT_NAMES)('exportSession makes what the command prints as %s', async (as) => {
  const dir = await makeTempDir();
  const session = SessionManager.create('/home/dev/orchard', join(dir, 's'));
  const first = session.appendMessage(QUESTION);
  session.appendMessage(ANSWER);
  session.branch(first);
  session.appendMessage({ ...ANSWER, content: [{ type: 'text', text: 'Other.' }] });
  const path = session.getSessionFile() ?? '';
  const { documents, redactions, problems } = await exportSession(path, { as });
  expect({ redactions, problems }).toEqual({ redactions: [], problems: [] });
  const { out } = await runTest(['export', path, '--as', as]);
  expect(documents.map(({ text }) => text)).toEqual([out]);
});

it('exportSession takes out secrets, and makes a document for each branch', async () => {
  const dir = await makeTempDir();
  const session = SessionManager.create('/home/dev/orchard', dir);
  const first = session.appendMessage({ ...QUESTION, content: 'The word is xyzzy-plugh.' });
  session.appendMessage(ANSWER);
  session.branch(first);
  session.appendMessage(ANSWER);
  const { documents, redactions } = await exportSession(session.getSessionFile() ?? '', {
    allBranches: true,
    secrets: ['xyzzy-plugh'],
  });
  expect(documents).toHaveLength(2);
  expect(new Set(documents.map(({ name }) => name)).size).toBe(2);
  expect(documents.map(({ text }) => text).join('')).not.toContain('plugh');
  expect(redactions.map(({ rule }) => rule)).toContain('secret-file');
});

it.each(['chat', 'atif'] as const)('a branch that holds nothing for %s is left out', async (as) => {
  const dir = await makeTempDir();
  const session = SessionManager.create('/home/dev/orchard', join(dir, 's'));
  session.appendMessage(QUESTION);
  session.appendMessage(ANSWER);
  session.resetLeaf();
  session.appendCustomEntry('empty', {});
  session.resetLeaf();
  session.appendMessage(QUESTION);
  session.appendMessage({ ...ANSWER, content: [{ type: 'text', text: 'Other.' }] });
  const path = session.getSessionFile() ?? '';
  const { documents } = await exportSession(path, { as, allBranches: true });
  expect(documents).toHaveLength(2);
  const argv = ['export', path, '--as', as, '--all-branches', '--out', join(dir, 'out'), '--json'];
  const { out } = await runTest(argv);
  const [{ action, outputs }] = JSON.parse(out).results;
  expect([action, outputs.length]).toEqual(['export', 2]);
  const names = await readdir(join(dir, 'out'));
  expect(names.filter((name) => !name.startsWith('.')).toSorted()).toEqual(
    outputs.map((one: string) => basename(one)).toSorted(),
  );
});

it('exportSession refuses a session that its agent would not open, as the command does', async () => {
  const dir = await makeTempDir();
  const entry = { type: 'message', id: 'a1', parentId: null, message: QUESTION };
  await writeFiles(dir, { 's.jsonl': [{ type: 'session', version: 3, cwd: '/w' }, entry] });
  const path = join(dir, 's.jsonl');
  const { exitCode, err } = await runTest(['export', path]);
  expect(exitCode).toBe(3);
  const [, reason = ''] = /s\.jsonl: (.*)/.exec(err) ?? [];
  await expect(exportSession(path)).rejects.toThrow(reason);
});
