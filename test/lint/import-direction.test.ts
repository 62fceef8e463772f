import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeTempDir } from '../temp-dir.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Each breaks one rule of the house, and nothing else. */
const VIOLATIONS = [
  ['src/session/pi/x.ts', "import { a } from '../../store/a.ts';\nexport const b = a;\n"],
  ['src/session/x.ts', "import { a } from '../report/a.ts';\nexport const b = a;\n"],
  ['src/session/x.ts', "import { readFileSync } from 'node:fs';\nexport const b = readFileSync;\n"],
  ['src/session/jsonl/x.ts', "import { a } from '../pi/a.ts';\nexport const b = a;\n"],
  ['src/session/pi/x.ts', "import { a } from '../neovate/a.ts';\nexport const b = a;\n"],
  ['src/session/neovate/x.ts', "import { a } from '../pi/a.ts';\nexport const b = a;\n"],
  ['src/store/x.ts', "import { a } from '../batch/a.ts';\nexport const b = a;\n"],
  ['src/batch/x.ts', "import { a } from '../session/a.ts';\nexport const b = a;\n"],
  ['src/report/x.ts', "import { a } from '../store/a.ts';\nexport const b = a;\n"],
  ['src/report/x.ts', "import { open } from 'node:fs/promises';\nexport const b = open;\n"],
  ['src/commands/x.ts', "import { a } from '../cli.ts';\nexport const b = a;\n"],
  ['src/commands/x.ts', "import { Chalk } from 'chalk';\nexport const b = Chalk;\n"],
  ['src/errors.ts', "import { a } from './session/a.ts';\nexport const b = a;\n"],
] as const;

async function lint(dir: string): Promise<{ code: number; output: string }> {
  const bin = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, '--deny-warnings', 'src'], { cwd: dir }, (error, stdout) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout });
    });
  });
}

async function lintFiles(files: Readonly<Record<string, string>>) {
  const dir = await makeTempDir();
  await cp(join(ROOT, '.oxlintrc.json'), join(dir, '.oxlintrc.json'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), text);
  }
  // Without the type-aware rules, which would need the whole project beside it.
  return lint(dir);
}

describe('the import direction', () => {
  it('passes where everything points down', async () => {
    const { code, output } = await lintFiles({
      'src/store/x.ts': "import { a } from '../session/a.ts';\nexport const b = a;\n",
      'src/session/pi/x.ts': "import { a } from '../json.ts';\nexport const b = a;\n",
      'src/session/jsonl/x.ts':
        "import { open } from 'node:fs/promises';\nexport const b = open;\n",
    });
    expect({ code, output }).toMatchObject({ code: 0 });
  });

  it.each(VIOLATIONS)('is enforced: %s', async (name, text) => {
    const { code, output } = await lintFiles({ [name]: text });
    expect(output).toContain('no-restricted-imports');
    expect(code).toBe(1);
  });
});
