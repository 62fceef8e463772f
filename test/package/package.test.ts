import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILES = fileURLToPath(new URL('consumer/', import.meta.url));
const NEWER = fileURLToPath(new URL('node_modules/', import.meta.url));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const TSC_5 = join(ROOT, 'node_modules/ts-json-schema-generator/node_modules/typescript/bin/tsc');
const NODES = [
  ['20', process.execPath],
  ['22', join(NEWER, 'node-22/bin/node')],
  ['24', join(NEWER, 'node-24/bin/node')],
  ['26', join(NEWER, 'node-26/bin/node')],
] as const;
/**
 * Megabytes, with all dependencies: a batch tool is installed in CI, again and again. Two of them are
 * source maps, without which a stack trace names no line of the sources.
 */
const MAX_INSTALLED = 10;
/** For the checks below; nobody who runs coppice installs them. */
const TYPES = /[\\/]node_modules[\\/](?:@types|undici-types)(?:[\\/]|$)/;

interface PackedFile {
  readonly path: string;
}

const run = promisify(execFile);
let consumer: string;
let packed: readonly PackedFile[];

/** A project that has installed the tarball, as a person would have. */
beforeAll(async () => {
  consumer = await mkdtemp(join(tmpdir(), 'coppice-consumer-'));
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', consumer];
  const { stdout } = await run('npm', pack, { cwd: ROOT });
  const [{ filename, files }] = JSON.parse(stdout);
  packed = files;
  await writeFile(join(consumer, 'package.json'), '{"type":"module","private":true}');
  const install = ['install', '--no-audit', '--no-fund', '--no-save'];
  await run('npm', [...install, `./${filename}`, '@types/node@20'], { cwd: consumer });
  await cp(FILES, consumer, { recursive: true });
  await cp(join(ROOT, 'samples'), join(consumer, 'samples'), { recursive: true });
});

afterAll(() => rm(consumer, { recursive: true, force: true }));

async function measure(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && !TYPES.test(entry.parentPath))
      bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

describe('the package', () => {
  it('holds what is needed, and nothing else', () => {
    const wanted = [
      /^(README|CHANGELOG)\.md$|^LICENSE$|^package\.json$|^bin\/(coppice\.js|package\.json)$/,
      /^dist\/[\w-]+\.c?js(\.map)?$|^dist\/THIRD-PARTY-NOTICES\.txt$/,
      /^dist\/[\w/-]+\.d\.ts$/,
      /^dist\/help\/\w+(\.all)?\.txt$/,
      /^dist\/man\/coppice(-\w+)?\.1$/,
      /^docs\/[\w/-]+\.(md|svg)$/,
      /^docs\/fleets\/[\w-]+\.(sh|ya?ml|sbatch|sql)$/,
      /^samples\/.+\.jsonl$/,
      /^schemas\/[\w/.-]+\.schema\.json$/,
    ];
    const paths = packed.map(({ path }) => path);
    expect(paths.filter((path) => !wanted.some((one) => one.test(path)))).toEqual([]);
    for (const one of wanted) expect(paths.find((path) => one.test(path))).toBeDefined();
    // The types of the library do not lead there.
    expect(paths.filter((path) => /^dist\/(?:batch|cli)\//.test(path))).toEqual([]);
  });

  it('is small, with all that it needs', async () => {
    const bytes = await measure(join(consumer, 'node_modules'));
    expect(bytes / 1e6).toBeLessThan(MAX_INSTALLED);
  });

  it('offers its schemas', async () => {
    const script = "console.log(import.meta.resolve('coppice/schemas/session/pi-v3.schema.json'))";
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
      cwd: consumer,
    });
    expect(stdout).toContain('/coppice/schemas/session/pi-v3.schema.json');
  });
});

describe.each(NODES)('on Node %s, the installed package', (major, node) => {
  const coppice = async (...args: string[]): Promise<string> => {
    const binary = join(consumer, 'node_modules/coppice/bin/coppice.js');
    const { stdout } = await run(node, [binary, ...args], { cwd: consumer });
    return stdout;
  };

  it('is run by that release', async () => {
    expect((await run(node, ['--version'])).stdout).toMatch(new RegExp(`^v${major}\\.`));
  });

  it('lists, validates and exports', async () => {
    const { results } = JSON.parse(await coppice('list', 'samples/sessions', '--json'));
    expect(results.length).toBeGreaterThanOrEqual(7);
    expect(await coppice('validate', 'samples/sessions')).toMatch(/in \d of \d sessions/);
    const out = `site-${major}`;
    await coppice('export', 'samples/sessions', '--as', 'html', '--out', out);
    expect(await readdir(join(consumer, out))).toContain('index.html');
    await coppice('export', 'samples/sessions', '--as', 'parquet', '--out', `lake-${major}`);
  });

  it('migrates, compacts, forks, prunes and restores', async () => {
    const store = `store-${major}`;
    await cp(join(consumer, 'samples/sessions'), join(consumer, store), { recursive: true });
    const apply = ['--store', store, '--apply', '--grace', '0min'];
    expect(await coppice('migrate', ...apply)).toMatch(/Migrated 2 of \d sessions/);
    expect(await coppice('compact', ...apply, '--force', '--keep-recent-tokens', '20')).toContain(
      'Compacted',
    );
    expect(await coppice('fork', '019df25e', '--store', store)).toMatch(/\.jsonl\n$/);
    const archive = ['--archive', `old-${major}`];
    await coppice('prune', ...apply, ...archive, '--keep-last', '1');
    expect(await coppice('prune', '--store', store, ...archive, '--restore', 'all')).toContain(
      'Restored',
    );
    await coppice('validate', store);
  });

  it('is a library', async () => {
    const { stdout } = await run(node, ['library.mjs'], { cwd: consumer });
    expect(stdout).toBe('true\n');
  });
});

describe.each([
  ['7', TSC],
  ['5', TSC_5],
])('the declarations, read by TypeScript %s', (_major, tsc) => {
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--types', 'node'];
  const check = (resolution: string, module: string, file: string) => {
    const how = ['--target', 'es2022', '--moduleResolution', resolution, '--module', module];
    return run(process.execPath, [tsc, ...strict, ...how, file], { cwd: consumer });
  };

  it.each([
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])('are right under %s', async (resolution, module) => {
    const checked = check(resolution, module, 'consumer.ts');
    await expect(checked).resolves.toEqual({ stdout: '', stderr: '' });
    const misuse = check(resolution, module, 'misuse.ts');
    await expect(misuse).rejects.toMatchObject({ stdout: expect.stringContaining('TS2345') });
  });
});
