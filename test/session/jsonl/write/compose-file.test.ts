import { appendFile, rename, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  composeFile,
  type Piece,
  type SourceState,
} from '../../../../src/session/jsonl/write/compose-file.ts';
import { PrefixSum } from '../../../../src/session/jsonl/read/spans/prefix-sum.ts';
import { readLines } from '../../../../src/session/jsonl/read/read-lines.ts';
import { runs } from '../../../harness/runs.ts';
import { makeTempDir, waitForTick } from '../../../temp-dir.ts';

interface Source {
  readonly path: string;
  readonly lines: readonly string[];
  readonly spans: readonly { offset: number; length: number }[];
}

async function writeSource(lines: readonly string[]): Promise<Source> {
  const path = join(await makeTempDir(), 'source.jsonl');
  await writeFile(path, lines.map((line) => `${line}\n`).join(''));
  let at = 0;
  const spans = lines.map((line) => {
    const length = Buffer.byteLength(line);
    const span = { offset: at, length };
    at += length + 1;
    return span;
  });
  return { path, lines, spans };
}

async function compose(path: string, pieces: Iterable<Piece>): Promise<string> {
  return composeFrom(await read(path), pieces);
}

function refuse(): never {
  throw new Error('asked the impossible of a line');
}

function composeFrom(source: SourceState, pieces: Iterable<Piece>): string {
  let text = '';
  for (const chunk of composeFile(source, pieces)) text += chunk.toString();
  return text;
}

async function read(path: string): Promise<SourceState> {
  const sum = new PrefixSum();
  return { path, sum, stamp: await readLines(path, () => undefined, { sum }) };
}

describe('composeFile', () => {
  it('puts lines of the source and new ones in any order', async () => {
    const sizes = [0, 1, 7, 300, 70_000, 300_000];
    const { path, lines, spans } = await writeSource(
      Array.from({ length: 40 }, (_, at) => String(at % 10).repeat(sizes[at % sizes.length] ?? 0)),
    );
    const place = fc.record({
      line: fc.nat(lines.length - 1),
      how: fc.constantFrom(0, 0, 0, 1, 2),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(place, { maxLength: 30 }), async (places) => {
        const pieces = places.map(({ line, how }): Piece => {
          const span = spans[line] ?? { offset: 0, length: 0 };
          if (how === 2) return { text: `new ${line}` };
          return how === 0
            ? { span }
            : { span, change: (bytes) => Buffer.from(`<${bytes.toString()}>`) };
        });
        const expected = places.map(({ line, how }) => {
          if (how === 2) return `new ${line}\n`;
          return how === 0 ? `${lines[line]}\n` : `<${lines[line]}>\n`;
        });
        expect(await compose(path, pieces)).toBe(expected.join(''));
      }),
      { numRuns: runs(20) },
    );
  });

  it('joins lines that follow each other into one run', async () => {
    const { path, lines, spans } = await writeSource(['a', 'bb', '', 'ccc']);
    const text = await compose(
      path,
      spans.map((span) => ({ span })),
    );
    expect(text).toBe(`${lines.join('\n')}\n`);
  });

  it('ends a last line that has no LF', async () => {
    const { path } = await writeSource([]);
    await writeFile(path, 'torn');
    expect(await compose(path, [{ span: { offset: 0, length: 4 } }])).toBe('torn\n');
  });

  it('goes on when lines were appended meanwhile, where that may be', async () => {
    const { path, spans } = await writeSource(['a', 'b']);
    const source = await read(path);
    await appendFile(path, 'c\n');
    const pieces = spans.map((span) => ({ span }));
    expect(composeFrom(source, pieces)).toBe('a\nb\n');
    expect(() => composeFrom({ path, stamp: source.stamp }, pieces)).toThrow('changed');
  });

  it.each([
    ['cut short', (path: string) => truncate(path, 2)],
    ['rewritten in place and longer', (path: string) => writeFile(path, 'aa\nb\nc\n')],
    ['rewritten in place with lines as long', (path: string) => writeFile(path, 'x\nb\nc\n')],
    [
      'rewritten in place, its size and mtime as before',
      async (path: string) => {
        const { atime, mtime } = await stat(path);
        await writeFile(path, 'x\nb\n');
        await utimes(path, atime, mtime);
      },
    ],
    [
      'replaced',
      async (path: string) => {
        await writeFile(`${path}.new`, 'a\nb\n');
        await rename(`${path}.new`, path);
      },
    ],
  ])('refuses a source that was %s', async (_how, change) => {
    const { path, spans } = await writeSource(['a', 'b']);
    await waitForTick(path);
    const source = await read(path);
    await change(path);
    const pieces = spans.map((span) => ({ span }));
    expect(() => composeFrom(source, pieces)).toThrow('try again');
    const spoiled = spans.map((span) => ({ span, change: refuse }));
    expect(() => composeFrom(source, spoiled)).toThrow('try again');
  });
});
