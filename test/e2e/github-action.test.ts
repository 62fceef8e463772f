import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { BINARY } from './run-binary.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const readText = (name: string): Promise<string> => readFile(join(ROOT, name), 'utf8');
/** A package whose program is the one that was built. */
const STAND_IN = `import ${JSON.stringify(pathToFileURL(BINARY).href)};\n`;

let dir: string;
let checkout: string;

beforeEach(async () => {
  dir = await makeTempDir();
  checkout = join(dir, 'checkout');
  await cp(join(ROOT, 'samples'), checkout, { recursive: true });
  // In place of npm: writes down how it was called, and installs what was built.
  const npm = `#!/bin/sh
    mkdir '${dir}/npm' 2>/dev/null
    cp package.json '${dir}/npm'
    pwd > '${dir}/npm/cwd'
    env > '${dir}/npm/env'
    mkdir node_modules
    cp -r '${dir}/installed' node_modules/coppice
  `;
  await writeFiles(dir, {
    'bin/npm': npm,
    'installed/package.json': '{"type":"module"}',
    'installed/bin/coppice.js': STAND_IN,
    'runner/.keep': '',
  });
  await chmod(join(dir, 'bin/npm'), 0o755);
});

interface Run {
  readonly code: number;
  readonly out: string;
  readonly outputs: string;
}

/** Runs the action as GitHub does: defaults filled in, inputs as variables, in the checkout. */
async function runAction(
  inputs: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const action = parse(await readText('action.yml'));
  const known: Record<string, { default?: string }> = action.inputs;
  const values = Object.entries(known).map(([name, { default: usual = '' }]) => [
    `INPUT_${name.toUpperCase()}`,
    inputs[name] ?? usual,
  ]);
  const env = {
    PATH: `${dir}/bin:${process.env['PATH'] ?? ''}`,
    HOME: join(dir, 'home'),
    RUNNER_TEMP: join(dir, 'runner'),
    GITHUB_OUTPUT: join(dir, 'outputs'),
    ...Object.fromEntries(values),
    ...variables,
  };
  await writeFile(env.GITHUB_OUTPUT, '');
  const script = join(ROOT, action.runs.main);
  const run = await new Promise<Omit<Run, 'outputs'>>((resolve) => {
    execFile(process.execPath, [script], { cwd: checkout, env }, (error, out) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out });
    });
  });
  return { ...run, outputs: await readFile(env.GITHUB_OUTPUT, 'utf8') };
}

/** Where npm was called, with which dependencies and which configuration. */
async function readCall(): Promise<Record<string, unknown>> {
  const read = (name: string): Promise<string> => readFile(join(dir, 'npm', name), 'utf8');
  const { dependencies } = JSON.parse(await read('package.json'));
  const config = [...(await read('env')).matchAll(/^(npm_config\w*)=(.*)$/gim)];
  const values = config.map(([, name = '', value]) => [name, value]);
  return { dependencies, cwd: (await read('cwd')).trim(), ...Object.fromEntries(values) };
}

describe('the GitHub action', () => {
  it('annotates, and fails where there are errors', async () => {
    const { code, out, outputs } = await runAction({ paths: 'damaged\nsessions' });
    expect(code).toBe(1);
    expect(out).toContain('::error file=damaged/glued-and-torn.jsonl,line=2,title=line-glued::');
    expect(out).toContain('::warning file=sessions/');
    expect(outputs).toBe('');
    expect(await readdir(join(dir, 'runner'))).toEqual(['.keep']);
  });

  it('succeeds on warnings, unless they are too many or made errors', async () => {
    const paths = 'sessions/--home-dev-src-mono--';
    expect((await runAction({ paths })).code).toBe(0);
    expect((await runAction({ paths, 'max-warnings': '0' })).code).toBe(1);
    expect((await runAction({ paths, rules: 'version-outdated=error\n' })).code).toBe(1);
    const silenced = { paths, 'max-warnings': '0', rules: '\r\nversion-outdated=off\r\n' };
    expect((await runAction(silenced)).code).toBe(0);
  });

  it('writes SARIF too, and says where', async () => {
    const { code, outputs } = await runAction({ paths: 'damaged', 'sarif-file': 'found.sarif' });
    expect(code).toBe(1);
    const sarif = JSON.parse(await readFile(join(checkout, 'found.sarif'), 'utf8'));
    expect(sarif.runs[0].results.length).toBeGreaterThan(1);
    expect(outputs).toBe('sarif-file=found.sarif\n');
  });

  it('annotates beside SARIF where one file could not be checked, and says where both are', async () => {
    await writeFile(join(checkout, 'damaged', 'note.txt'), 'No session.');
    const paths = 'damaged\ndamaged/note.txt';
    const { code, out, outputs } = await runAction({ paths, 'sarif-file': 'found.sarif' });
    expect(code).toBe(3);
    expect(out).toMatch(/^::error file=damaged/m);
    expect(outputs).toBe('sarif-file=found.sarif\n');
  });

  it('fails when it could not look, also for SARIF', async () => {
    expect((await runAction({ paths: 'gone', 'sarif-file': 'x' })).code).toBe(2);
    const wrong = { paths: 'damaged', rules: 'no-such=off', version: '1.x' };
    expect((await runAction(wrong)).code).toBe(2);
    expect(await readCall()).toMatchObject({ dependencies: { coppice: '1.x' } });
  });

  it('installs its own release, away from the checkout, from the registry of its input alone', async () => {
    const variables = {
      NPM_CONFIG_REGISTRY: 'http://evil.example',
      npm_config_global: 'true',
      npm_config_ignore_scripts: 'false',
      NPM_CONFIG_USERCONFIG: join(dir, 'home/.npmrc'),
      npm_config_cafile: join(checkout, 'evil.pem'),
    };
    await runAction({ paths: 'sessions' }, variables);
    const { version } = JSON.parse(await readText('package.json'));
    const call = await readCall();
    expect(String(call['cwd'])).toContain(join(dir, 'runner', 'coppice-'));
    expect(call).toMatchObject({
      dependencies: { coppice: version },
      npm_config_registry: 'https://registry.npmjs.org/',
      npm_config_ignore_scripts: 'true',
      NPM_CONFIG_USERCONFIG: variables.NPM_CONFIG_USERCONFIG,
    });
    for (const name of ['NPM_CONFIG_REGISTRY', 'npm_config_global', 'npm_config_cafile']) {
      expect(call).not.toHaveProperty(name);
    }
  });

  it('runs nothing that an input holds', async () => {
    const pwn = '$(touch pwned)\nsessions; touch pwned\n`touch pwned`\n--fix';
    const before = await readdir(checkout);
    await runAction({ paths: pwn, rules: '--fix\n--config=evil\n; touch pwned' });
    expect(await readdir(checkout)).toEqual(before);
  });

  it.each([
    ['sarif-file', 'x\nother=1', 'expected one line'],
    ['max-warnings', '0\r\n--fix', 'expected one line'],
    ['version', 'file:../checkout', 'expected a version'],
    ['version', 'npm:evil@1', 'expected a version'],
    ['version', 'evil/coppice', 'expected a version'],
    ['version', '1\n2', 'expected one line'],
    ['registry', '', 'expected an http address'],
    ['registry', 'file:///x', 'expected an http address'],
  ])('refuses %s with %j', async (input, value, message) => {
    const { code, out, outputs } = await runAction({ paths: 'sessions', [input]: value });
    expect({ code, outputs }).toEqual({ code: 2, outputs: '' });
    expect(out).toMatch(new RegExp(`^::error title=coppice::${input}: ${message}.*\n$`));
    expect(await readdir(join(dir, 'runner'))).toEqual(['.keep']);
  });

  it('writes through no link of the checkout', async () => {
    await mkdir(join(dir, 'victim'));
    await writeFile(join(dir, 'victim/keys'), 'mine');
    await symlink(join(dir, 'victim/keys'), join(checkout, 'link.sarif'));
    await symlink(join(dir, 'victim'), join(checkout, 'out'));
    for (const file of ['link.sarif', 'out/keys', 'out/new.sarif']) {
      expect((await runAction({ paths: 'sessions', 'sarif-file': file })).code).toBe(2);
    }
    expect(await readdir(join(dir, 'victim'))).toEqual(['keys']);
    expect(await readFile(join(dir, 'victim/keys'), 'utf8')).toBe('mine');
  });
});

/** A registry on this machine that has one package, and counts who asks. */
async function startRegistry(version: string) {
  const pack = (path: string, text: string): Buffer => {
    const block = Buffer.alloc(512);
    new Header({ path, size: text.length, mode: 0o644, type: 'File' }).encode(block);
    return Buffer.concat([
      block,
      Buffer.from(text.padEnd(Math.ceil(text.length / 512) * 512, '\0')),
    ]);
  };
  const about = { name: 'coppice', version, type: 'module', bin: { coppice: 'bin/coppice.js' } };
  const tarball = gzipSync(
    Buffer.concat([
      pack('package/package.json', JSON.stringify(about)),
      pack('package/bin/coppice.js', STAND_IN),
      Buffer.alloc(1024),
    ]),
  );
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.endsWith('.tgz')) return response.end(tarball);
    const dist = { tarball: `${url}coppice.tgz`, integrity };
    const versions = { [version]: { ...about, dist } };
    return response.end(
      JSON.stringify({ name: 'coppice', 'dist-tags': { latest: version }, versions }),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  return { url, asked };
}

describe('with the real npm, the GitHub action', () => {
  it('asks the registry that it names, and none that the checkout names', async () => {
    const { version } = JSON.parse(await readText('package.json'));
    const [named, evil] = [await startRegistry(version), await startRegistry(version)];
    await writeFile(
      join(checkout, '.npmrc'),
      `registry=${evil.url}\nprefix=/tmp/evil\nignore-scripts=false\n`,
    );
    await writeFiles(checkout, { 'package.json': '{"name":"evil"}', 'node_modules/.keep': '' });
    const { code, out } = await runAction(
      { paths: 'damaged', registry: named.url },
      { PATH: process.env['PATH'] ?? '', NPM_CONFIG_REGISTRY: evil.url },
    );
    expect(code).toBe(1);
    expect(out).toContain('title=line-glued::');
    expect(named.asked).toEqual(['/coppice', '/coppice.tgz']);
    expect(evil.asked).toEqual([]);
  });
});
