import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { getCompletionScript } from '../../src/cli/completion.ts';

const PARSER = fileURLToPath(new URL('parse-powershell.mjs', import.meta.url));
const SCRIPT = getCompletionScript(['powershell'], { env: {} });

interface Parsed {
  readonly errors: readonly string[];
  readonly commands: readonly string[];
}

function parse(input: string): Parsed {
  const { stdout, stderr } = spawnSync(process.execPath, [PARSER], { input, encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

// PowerShell itself is neither on npm nor in Debian; its grammar is.
describe('the completion for PowerShell', () => {
  it('is a script of PowerShell, which calls nothing but coppice and what every PowerShell has', () => {
    expect(parse(SCRIPT)).toEqual({
      errors: [],
      commands: ['Register-ArgumentCompleter', 'Where-Object', 'ForEach-Object', 'coppice'],
    });
  });

  it.each([
    ['a brace', '} finally', 'finally'],
    ['a mark of a text', "'ParameterValue'", "'ParameterValue"],
    ['a word of a loop', 'foreach ($offer in', 'foreach ($offer'],
    ['an opening parenthesis', 'param(', 'param'],
  ])('would be found out without %s', (_what, there, instead) => {
    expect(SCRIPT).toContain(there);
    expect(parse(SCRIPT.replace(there, instead)).errors).not.toEqual([]);
  });
});
