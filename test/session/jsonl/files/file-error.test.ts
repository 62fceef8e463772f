import { constants } from 'node:os';
import { expect, it } from 'vitest';
import { toFileError } from '../../../../src/session/jsonl/files/file-error.ts';

it('has words for errors that Node has no name for', () => {
  const errno = -constants.errno.ESTALE;
  const code = `Unknown system error ${errno}`;
  const error = Object.assign(new Error(`${code}: ${code}, read`), { code, errno });
  expect(toFileError(error, 's.jsonl', 'read')).toMatchObject({
    code: 'ESTALE',
    message: expect.stringMatching(/^cannot read: stale file handle/),
  });
});
