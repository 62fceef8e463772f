import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { createGenerator } from 'ts-json-schema-generator';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { makeTempDir } from '../temp-dir.ts';
import { BINARY } from './run-binary.ts';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const readManifest = (name: string): Promise<string> =>
  readFile(join(ROOT, 'docs/fleets', name), 'utf8');

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await cp(join(ROOT, 'samples'), join(dir, 'test/fixtures'), { recursive: true });
  for (const name of ['bin', 'agents/findings', 'reports']) {
    await mkdir(join(dir, name), { recursive: true });
  }
  // In place of the registry: runs what npx would have fetched.
  const run = `exec '${process.execPath}' '${BINARY}' "$@"\n`;
  await writeFile(join(dir, 'bin/npx'), `#!/bin/sh\nshift 2\n${run}`);
  await writeFile(join(dir, 'bin/coppice'), `#!/bin/sh\n${run}`);
  for (const name of ['npx', 'coppice']) await chmod(join(dir, 'bin', name), 0o755);
});

/** Runs a script once for each part, as an engine does; 1 says that there are findings. */
async function runParts(script: string, parts: readonly Record<string, string>[]): Promise<void> {
  for (const part of parts) {
    const env = { PATH: `${dir}/bin:${process.env['PATH'] ?? ''}`, HOME: dir, ...part };
    await execute('sh', ['-c', `(\n${script}\n) || [ $? -eq 1 ]`], { cwd: dir, env });
  }
}

/** Sessions and findings that files name, each once in all of them. */
async function listNamed(folder: string, pattern: RegExp): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => /\.(?:xml|json|ndjson)$/.test(name));
  expect(names).toHaveLength(4);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts
    .flatMap((text) => [...text.matchAll(pattern)].map(([, found = '']) => found))
    .toSorted();
}

async function listPlain(format: string, pattern: RegExp): Promise<readonly string[]> {
  const args = ['validate', 'test/fixtures', '--format', format];
  const ended = await execute(process.execPath, [BINARY, ...args], {
    cwd: dir,
    env: { HOME: dir },
  }).catch((error: unknown) => error as { readonly stdout: string });
  return [...ended.stdout.matchAll(pattern)].map(([, found = '']) => found).toSorted();
}

const CASES = /<testcase name="([^"]+)"/g;
const FINGERPRINTS = /"fingerprint":"([^"]+)"/g;
const parts = (toEnv: (index: number) => Record<string, string>) => [0, 1, 2, 3].map(toEnv);

describe('the manifests of the documentation: parts that together are the whole', () => {
  it('of GitLab', async () => {
    const { sessions } = parse(await readManifest('gitlab-ci.yml')) as {
      sessions: { parallel: number; script: readonly string[] };
    };
    expect(sessions.parallel).toBe(4);
    const toEnv = (at: number) => ({ CI_NODE_INDEX: String(at + 1), CI_NODE_TOTAL: '4' });
    await runParts(sessions.script.join('\n'), parts(toEnv));
    expect(await listNamed(dir, FINGERPRINTS)).toEqual(await listPlain('gitlab', FINGERPRINTS));
  });

  it('of Buildkite', async () => {
    const { steps } = parse(await readManifest('buildkite.yml')) as {
      steps: readonly { parallelism: number; command: string }[];
    };
    const [{ parallelism, command } = { parallelism: 0, command: '' }] = steps;
    expect(parallelism).toBe(4);
    const toEnv = (at: number) => ({
      BUILDKITE_PARALLEL_JOB: String(at),
      BUILDKITE_PARALLEL_JOB_COUNT: '4',
    });
    // Buildkite makes `$$` to `$` when it reads the pipeline.
    await runParts(command.replaceAll('$$', '$'), parts(toEnv));
    expect(await listNamed(dir, CASES)).toEqual(await listPlain('junit', CASES));
  });

  it('of CircleCI', async () => {
    const { jobs } = parse(await readManifest('circleci.yml')) as {
      jobs: { sessions: { parallelism: number; steps: readonly { run?: string }[] } };
    };
    expect(jobs.sessions.parallelism).toBe(4);
    const toEnv = (at: number) => ({ CIRCLE_NODE_INDEX: String(at), CIRCLE_NODE_TOTAL: '4' });
    const script = jobs.sessions.steps.flatMap(({ run }) => run ?? []).join('\n');
    await runParts(script, parts(toEnv));
    expect(await listNamed(join(dir, 'reports'), CASES)).toEqual(await listPlain('junit', CASES));
  });

  it('of Slurm', async () => {
    const toEnv = (at: number) => ({
      SLURM_ARRAY_TASK_ID: String(at + 1),
      SLURM_ARRAY_TASK_MIN: '1',
      SLURM_ARRAY_TASK_MAX: '4',
      SLURM_ARRAY_TASK_COUNT: '4',
      SLURM_ARRAY_TASK_STEP: '1',
      STORE: 'test/fixtures',
      OUT: 'reports',
    });
    await runParts(await readManifest('validate.sbatch'), parts(toEnv));
    expect((await listNamed(join(dir, 'reports'), /"path":"([^"]+)"/g)).length).toBeGreaterThan(2);
  });
});

type Manifest = Readonly<{
  kind: string;
  spec: Readonly<Record<string, unknown>>;
}>;

describe('the manifest of Kubernetes', () => {
  it('keeps to the types of its release, and counts its parts', async () => {
    const file = join(ROOT, 'test/e2e/kubernetes.ts');
    const schema: object = createGenerator({
      path: file,
      tsconfig: join(ROOT, 'tsconfig.json'),
      type: 'Manifest',
      additionalProperties: false,
      skipTypeCheck: true,
    }).createSchema('Manifest');
    const validate = new Ajv({ strict: false }).compile(schema);
    const documents = parseAllDocuments(await readManifest('kubernetes.yaml'));
    const manifests = documents.map((one) => one.toJS() as Manifest);
    expect(manifests.map(({ kind }) => kind)).toEqual(['Job', 'CronJob']);
    for (const manifest of manifests) {
      expect([validate(manifest), validate.errors]).toEqual([true, null]);
    }
    const [job] = manifests;
    expect(validate({ ...job, spec: { ...job?.spec, completion: 8 } })).toBe(false);
    const text = JSON.stringify(job);
    expect(text).toContain('"completions":8');
    expect(text).toContain('"name":"COPPICE_SHARD_COUNT","value":"8"');
  });
});
