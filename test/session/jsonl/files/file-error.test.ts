import { constants } from 'node:os';
import { expect, it } from 'vitest';
import { isSystemFailure, toFileError } from '../../../../src/session/jsonl/files/file-error.ts';

it('has words for errors that Node has no name for', () => {
  const errno = -constants.errno.ESTALE;
  const code = `Unknown system error ${errno}`;
  const error = Object.assign(new Error(`${code}: ${code}, read`), { code, errno });
  expect(toFileError(error, 's.jsonl', 'read')).toMatchObject({
    code: 'ESTALE',
    message: expect.stringMatching(/^cannot read: stale file handle/),
  });
});

it.each([
  ['a damaged directory, which Node has no name for', 'Unknown system error -117', -117],
  ['a server that is down, which only libuv has a name for', 'EHOSTDOWN', -112],
  ['a file in a cloud, on Windows', 'UNKNOWN', -4094],
])('takes an error of the system for one: %s', (_, code, errno) => {
  const error = Object.assign(new Error(`${code}, scandir`), { code, errno, syscall: 'scandir' });
  const problem = toFileError(error, 'store', 'read');
  expect(problem).toMatchObject({ code: 'EUNKNOWN', message: `cannot read: ${code}, scandir` });
  expect(isSystemFailure(problem)).toBe(true);
});

it('leaves an error of Node itself its name', () => {
  const error = Object.assign(new Error('too large'), { code: 'ERR_FS_FILE_TOO_LARGE' });
  const problem = toFileError(error, 's.jsonl', 'read');
  expect(problem.code).toBe('ERR_FS_FILE_TOO_LARGE');
  expect(isSystemFailure(problem)).toBe(false);
});
