import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../../memory-terminal.ts';
import { sampleSession } from '../../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../../temp-dir.ts';

it('an index shows a session whose days and models take more than the first bytes of its page', async () => {
  const cwd = await makeTempDir();
  const [header, question, answer] = sampleSession({ id: 'long', text: 'Every day' });
  const lines = Array.from({ length: 1000 }, (_, day) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
    const parentId = day === 0 ? 'aaaaaaa1' : `day-${day - 1}`;
    return { ...answer, id: `day-${day}`, parentId, timestamp };
  });
  await writeFiles(cwd, {
    'in/a.jsonl': [header, question, ...lines].map((line) => ({ ...line })),
    'in/b.jsonl': sampleSession({ id: 'short', text: 'Once' }),
  });
  await runTest(['export', '--store', 'in', '--as', 'html', '--out', 'out'], { cwd });
  const index = readFileSync(join(cwd, 'out/index.html'), 'utf8');
  expect(index).toContain('>Every day</a>');
  expect(index).toContain('>Once</a>');
});
