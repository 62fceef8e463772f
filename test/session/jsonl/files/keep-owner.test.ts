import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { keepAccess } from '../../../../src/session/jsonl/files/keep-access.ts';
import { getFactsSync } from '../../../../src/session/jsonl/files/sync-calls.ts';
import { makeTempDir } from '../../../temp-dir.ts';

vi.mock('node:fs', async (importOriginal) => ({
  ...(await importOriginal<typeof import('node:fs')>()),
  fchownSync: () => {
    throw Object.assign(new Error('EPERM: operation not permitted, fchown'), { code: 'EPERM' });
  },
}));

it.each([
  ['group', 'gid', 'its group'],
  ['owner', 'uid', 'its owner'],
] as const)('names the %s that a new file cannot have, and a remedy', async (_whose, id, name) => {
  const path = join(await makeTempDir(), 'new');
  const fd = openSync(path, 'ax', 0o600);
  const source = { ...getFactsSync(path), [id]: 4321 };
  const message =
    `cannot replace: the new file cannot have ${name} (4321); ` +
    'run coppice as one who may, or give the file to yourself and a group of yours';
  const problem = expect.objectContaining({ path: '/s.jsonl', code: 'EPERM', message });
  expect(() => keepAccess('/s.jsonl', source, { path, fd })).toThrow(problem);
  closeSync(fd);
});
