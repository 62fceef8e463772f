import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openImageFiles } from '../../../src/store/output/image-files.ts';
import { makeTempDir } from '../../temp-dir.ts';

it('names the folder of which it cannot be known whether it is there', async () => {
  const path = join(await makeTempDir(), 'n'.repeat(250));
  const files = openImageFiles(path);
  expect(files.ownsFolder(true)).toBe(true);
  expect(() => files.ownsFolder(false)).toThrow(
    expect.objectContaining({ name: 'FileError', path: `${path}.images` }),
  );
});
