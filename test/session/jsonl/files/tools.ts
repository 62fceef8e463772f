import { mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileExists } from '../../../../src/session/jsonl/read/read-lines.ts';
import { makeTempDir } from '../../../temp-dir.ts';

/** Makes a directory for PATH that has nothing but one program. */
export async function makeToolsWith(name: string): Promise<string> {
  const tools = join(await makeTempDir(), 'tools');
  mkdirSync(tools);
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const [from, to] = [join(directory, name), join(tools, name)];
    if ((await fileExists(from)) && !(await fileExists(to))) symlinkSync(from, to);
  }
  return tools;
}
