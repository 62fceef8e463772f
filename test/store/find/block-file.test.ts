import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BlockFile, findPlace } from '../../../src/store/find/block-file.ts';
import { formatBlocks, type ToRow } from '../../../src/store/find/index-block.ts';
import { makeTempDir } from '../../temp-dir.ts';

const HEAD = '["version"]';
let path: string;

beforeEach(async () => {
  path = join(await makeTempDir(), 'sessions.ndjson');
});

/** A row of 2,000 bytes: 128 of them are more than is read at once. */
function toRow(name: string): readonly [string, ToRow] {
  return [name, () => [name, 'x'.repeat(2000)]];
}

const NAMES = Array.from({ length: 300 }, (_, at) => `s${String(at).padStart(3, '0')}`);
const LINES = [...formatBlocks('/a', NAMES.map(toRow)), ...formatBlocks('/b', [toRow('t')])];
const TEXT = `${HEAD}\n${LINES.join('')}`;

function readText(file: BlockFile, directory: string, name: string): string | undefined {
  const place = findPlace(file.list(directory), name);
  return place && file.read(place).toString();
}

describe('the file of an index', () => {
  it('has the block that a name would be in', async () => {
    await writeFile(path, TEXT);
    const file = new BlockFile(path, HEAD);
    expect([...file.directories]).toEqual(['/a', '/b']);
    const read = ['s000', 's127', 's128', 's299'].map((name) => readText(file, '/a', name));
    const [first, second, third, other] = LINES.map((line) => line.trimEnd());
    expect(read).toEqual([first, first, second, third]);
    expect(readText(file, '/b', 't')).toBe(other);
    expect(readText(file, '/a', 'r')).toBeUndefined();
    expect(file.list('/c')).toEqual([]);
  });

  it.each([
    ['of another version', TEXT.replace('version', 'another')],
    ['without its last LF', TEXT.slice(0, -1)],
    ['cut within its first line', HEAD],
    ['empty', ''],
  ])('has no blocks if it is %s', async (_, text) => {
    await writeFile(path, text);
    expect([...new BlockFile(path, HEAD).directories]).toEqual([]);
  });

  it('has no blocks if it is not there', () => {
    const file = new BlockFile(path, HEAD);
    expect([[...file.directories], file.writtenAt]).toEqual([[], 0]);
  });

  it('gives nothing of a file that has taken its place', async () => {
    await writeFile(path, TEXT);
    const file = new BlockFile(path, HEAD);
    await writeFile(`${path}.new`, TEXT);
    await rename(`${path}.new`, path);
    expect(readText(file, '/a', 's000')).toBe('');
  });
});
