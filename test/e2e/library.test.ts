import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as library from '../../src/index.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An example, and what the page says that it prints. */
const EXAMPLE = /```js\n([\s\S]*?)```\n\nprints `([^`]*)`/g;

async function makeProject(): Promise<string> {
  const dir = await makeTempDir();
  await mkdir(join(dir, 'node_modules'));
  await symlink(ROOT, join(dir, 'node_modules/coppice'));
  return dir;
}

it('names the line of a source in a stack trace, with source maps', async () => {
  const dir = await makeProject();
  const code =
    "import { readSession } from 'coppice';\nreadSession(7).catch((e) => console.log(e.stack));";
  await writeFiles(dir, { 'a.mjs': code });
  const { stdout } = await promisify(execFile)('node', ['--enable-source-maps', 'a.mjs'], {
    cwd: dir,
  });
  const [, line = ''] =
    /src[/\\]library[/\\]functions[/\\]one-session\.ts:(\d+):/.exec(stdout) ?? [];
  const source = await readFile(join(ROOT, 'src/library/functions/one-session.ts'), 'utf8');
  expect(source.split('\n')[Number(line) - 1]).toContain('toPath(');
});

it('does what docs/library.md says', async () => {
  const dir = await makeProject();
  const page = await readFile(join(ROOT, 'docs/library.md'), 'utf8');
  const examples = [...page.matchAll(EXAMPLE)].map(([, code = '', printed]) => ({ code, printed }));
  const env = { PATH: process.env['PATH'], HOME: dir };
  const printed: string[] = [];
  for (const [index, { code }] of examples.entries()) {
    const name = `example-${index}.mjs`;
    await writeFiles(dir, { [name]: code });
    const { stdout } = await promisify(execFile)('node', [name], { cwd: dir, env });
    printed.push(stdout.trimEnd());
  }
  expect(printed).toEqual(examples.map((example) => example.printed));
  const code = examples.map((example) => example.code).join('');
  const unused = Object.keys(library).filter((name) => !code.includes(name));
  expect(unused).toEqual([]);
});
