import { readFile, writeFile } from 'node:fs/promises';
import { seal } from '../../../src/store/find/index-block.ts';

/** Changes the blocks of an index so that it is believed: each has the check of what it says now. */
export async function forgeIndex(path: string, change: (text: string) => string): Promise<void> {
  const [head = '', ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const opened = lines.map((line) => change(line.slice(0, line.lastIndexOf(',"'))));
  await writeFile(path, [head, ...opened.map(seal), ''].join('\n'));
}
