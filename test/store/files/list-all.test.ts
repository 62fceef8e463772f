import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listAll } from '../../../src/store/files/list-all.ts';
import { makeTempDir } from '../../temp-dir.ts';

const describeOnLinux = process.platform === 'linux' ? describe : undefined;

describeOnLinux?.('all files below a directory', () => {
  it('may be more than those of names that are UTF-8', async () => {
    const top = await makeTempDir();
    writeFileSync(join(top, 'a'), 'a');
    expect(listAll(top)).toEqual({ files: [join(top, 'a')], unread: [] });
    mkdirSync(Buffer.concat([Buffer.from(`${top}/b`), Buffer.from([0xff])]));
    expect(listAll(top)).toMatchObject({ unread: [join(top, 'b\uFFFD')] });
  });
});
