import { execFile } from 'node:child_process';
import { chmod, cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { BINARY } from './run-binary.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const readText = (name: string): Promise<string> => readFile(join(ROOT, name), 'utf8');

/** The YAML blocks below a heading of docs/ci.md. */
async function readBlocks(heading: string): Promise<readonly string[]> {
  const [, section = ''] = (await readText('docs/ci.md')).split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await cp(join(ROOT, 'samples'), dir, { recursive: true });
  // In place of the registry: runs what npx would have fetched.
  await writeFiles(dir, {
    'bin/npx': `#!/bin/sh\nshift 2\nexec '${process.execPath}' '${BINARY}' "$@"\n`,
  });
  await chmod(join(dir, 'bin/npx'), 0o755);
});

interface Run {
  readonly code: number;
  readonly out: string;
}

async function runScript(script: string, variables: Record<string, string>): Promise<Run> {
  const env = { PATH: `${dir}/bin:${process.env['PATH'] ?? ''}`, HOME: dir, ...variables };
  const options = { cwd: dir, env: { ...env, GITHUB_OUTPUT: join(dir, 'outputs') } };
  return new Promise((resolve) => {
    // As GitHub runs `shell: bash`.
    execFile(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script],
      options,
      (error, out) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out });
      },
    );
  });
}

describe('the GitHub action', () => {
  it('is one, and so are the workflows of the documentation', async () => {
    expect(validateAction(await readText('action.yml')).errors).toEqual([]);
    const workflows = await readBlocks('GitHub Actions');
    expect(workflows.map((text) => validateWorkflow(text).errors)).toEqual([[], [], []]);
    expect(validateAction('name: x\nruns:\n  using: composit\n').errors).not.toEqual([]);
  });
});

describe('the GitLab job', () => {
  it('leaves a report, and fails where there are errors', async () => {
    const [block = ''] = await readBlocks('GitLab');
    const { sessions: job } = parse(block);
    await cp(join(dir, 'damaged'), join(dir, 'test/fixtures'), { recursive: true });
    expect((await runScript(job.script.join('\n'), {})).code).toBe(1);
    const report = await readFile(join(dir, job.artifacts.reports.codequality), 'utf8');
    const names = JSON.parse(report).map((finding: { check_name: string }) => finding.check_name);
    expect(names).toContain('line-glued');
  });
});

describe('the pre-commit hook', () => {
  it('has what pre-commit demands, and its entry takes file names', async () => {
    const [hook] = parse(await readText('.pre-commit-hooks.yaml'));
    expect(Object.keys(hook)).toEqual(
      expect.arrayContaining(['id', 'name', 'entry', 'language', 'files']),
    );
    expect(hook.language).toBe('node');
    expect('test/sessions/a.jsonl').toMatch(new RegExp(hook.files));
    expect('test/data/a.jsonl').not.toMatch(new RegExp(hook.files));
    const shell = hook.entry.replace('coppice', 'npx --yes coppice');
    const { code, out } = await runScript(`${shell} damaged/*.jsonl`, {});
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('line-glued') });
  });

  it('is used as the documentation has it', async () => {
    const [block = ''] = await readBlocks('pre-commit');
    const [hook] = parse(await readText('.pre-commit-hooks.yaml'));
    expect(parse(block).repos[0].hooks[0].id).toBe(hook.id);
  });
});
