import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeTempDir, writeFiles } from '../temp-dir.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Each breaks one rule of the house, and nothing else. */
const VIOLATIONS = [
  [
    'src/session/agents/pi/x0.ts',
    "import { a } from '../../../store/sessions/a.ts';\nexport const b = a;\n",
  ],
  ['src/session/x1.ts', "import { a } from '../report/a.ts';\nexport const b = a;\n"],
  [
    'src/session/fork/x2.ts',
    "import { readFileSync } from 'node:fs';\nexport const b = readFileSync;\n",
  ],
  [
    'src/session/jsonl/edit/x3.ts',
    "import { a } from '../../agents/pi/a.ts';\nexport const b = a;\n",
  ],
  ['src/session/agents/pi/x4.ts', "import { a } from '../neovate/a.ts';\nexport const b = a;\n"],
  ['src/session/agents/neovate/x5.ts', "import { a } from '../pi/a.ts';\nexport const b = a;\n"],
  [
    'src/session/agents/codex/fork/x16.ts',
    "import { a } from '../../claude-code/a.ts';\nexport const b = a;\n",
  ],
  [
    'src/session/agents/claude-code/x17.ts',
    "import { a } from '../codex/a.ts';\nexport const b = a;\n",
  ],
  ['src/session/model/x6.ts', "import { a } from '../dialect/a.ts';\nexport const b = a;\n"],
  ['src/store/x7.ts', "import { a } from '../batch/a.ts';\nexport const b = a;\n"],
  ['src/store/sessions/x18.ts', "import { a } from '../remove/a.ts';\nexport const b = a;\n"],
  [
    'src/store/archive/member/x19.ts',
    "import { a } from '../../prune/a.ts';\nexport const b = a;\n",
  ],
  ['src/batch/x8.ts', "import { a } from '../session/a.ts';\nexport const b = a;\n"],
  ['src/report/x9.ts', "import { a } from '../store/a.ts';\nexport const b = a;\n"],
  ['src/report/x10.ts', "import { open } from 'node:fs/promises';\nexport const b = open;\n"],
  ['src/export/x11.ts', "import { a } from '../store/output/a.ts';\nexport const b = a;\n"],
  ['src/summarize/x12.ts', "import { a } from '../session/agents/pi/a.ts';\nexport const b = a;\n"],
  ['src/commands/x13.ts', "import { a } from '../../src/cli/main.ts';\nexport const b = a;\n"],
  ['src/commands/list/x14.ts', "import { Chalk } from 'chalk';\nexport const b = Chalk;\n"],
  ['src/library/x15.ts', "import { a } from '../commands/list/a.ts';\nexport const b = a;\n"],
  ['src/errors.ts', "import { a } from './session/a.ts';\nexport const b = a;\n"],
] as const;

const ALLOWED = {
  'src/store/sessions/down.ts':
    "import { a } from '../../session/model/a.ts';\nexport const b = a;\n",
  'src/store/find/down.ts': "import { a } from '../../session/prune/a.ts';\nexport const b = a;\n",
  'src/session/agents/pi/down.ts':
    "import { a } from '../../jsonl/edit/a.ts';\nexport const b = a;\n",
  'src/session/jsonl/read/down.ts':
    "import { open } from 'node:fs/promises';\nexport const b = open;\n",
  'src/commands/export/down.ts':
    "import { a } from '../../export/formats/a.ts';\nexport const b = a;\n",
};

interface Found {
  readonly code: string;
  readonly filename: string;
}

/** What lint finds where all of these files are, without the rules that would need the whole project. */
async function lint(files: Readonly<Record<string, string>>): Promise<readonly Found[]> {
  const dir = await makeTempDir();
  await cp(join(ROOT, 'oxlint.config.mjs'), join(dir, 'oxlint.config.mjs'));
  await writeFiles(dir, files);
  const bin = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
  // It looks there for the part of it that knows types; npm puts it into the path, nobody else does.
  const path = [join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const options = { cwd: dir, env: { ...process.env, PATH: path } };
  const args = [bin, '-c', 'oxlint.config.mjs', '--deny-warnings', '--format', 'json', 'src'];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, options, (_error, stdout) => resolve(stdout));
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: readonly Found[] };
  return diagnostics;
}

describe('the import direction', () => {
  it('is enforced, and what points down passes', async () => {
    const found = await lint({ ...Object.fromEntries(VIOLATIONS), ...ALLOWED });
    const wrong = found.map(({ code, filename }) => `${code} ${filename}`);
    expect(wrong.toSorted()).toEqual(
      VIOLATIONS.map(([name]) => `eslint(no-restricted-imports) ${name}`).toSorted(),
    );
  });
});
