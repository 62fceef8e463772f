import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listAll } from '../../../src/store/files/list-all.ts';
import { makeTempDir } from '../../temp-dir.ts';

const describeOnLinux = process.platform === 'linux' ? describe : undefined;

describe('all files below a directory', () => {
  it('are those of all directories in it', async () => {
    const top = await makeTempDir();
    mkdirSync(join(top, 'below'));
    for (const path of [join(top, 'a'), join(top, 'below', 'b')]) writeFileSync(path, '');
    const { files, unread } = listAll(top);
    expect([files.toSorted(), unread]).toEqual([[join(top, 'a'), join(top, 'below', 'b')], []]);
  });
});

describeOnLinux?.('all files below a directory', () => {
  it('may be more than those of names that are UTF-8', async () => {
    const top = await makeTempDir();
    mkdirSync(Buffer.concat([Buffer.from(`${top}/b`), Buffer.from([0xff])]));
    expect(listAll(top)).toMatchObject({ unread: [join(top, 'b\uFFFD')] });
  });
});
