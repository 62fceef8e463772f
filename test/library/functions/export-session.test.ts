import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportSession, SessionManager } from '../../../src/index.ts';
import { FORMAT_NAMES } from '../../../src/export/formats/formats.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir } from '../../temp-dir.ts';
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
