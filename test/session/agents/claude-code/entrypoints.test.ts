import { expect, it } from 'vitest';
import { Entrypoints } from '../../../../src/session/agents/claude-code/index/entrypoints.ts';

const COPIED = true;

it.each<[string, readonly (readonly [string | undefined, boolean?])[], string]>([
  ['a person', [['cli'], ['sdk-cli']], 'interactive'],
  ['a program', [['sdk-cli'], ['cli']], 'exec'],
  ['an old release', [[undefined]], 'interactive'],
  ['a person, as a fork of a run of a program', [['sdk-cli', COPIED], ['cli']], 'interactive'],
  ['a program, as a fork of its own run', [['sdk-cli', COPIED], ['sdk-ts']], 'exec'],
  ['a program, as a fork of what is listed', [['cli', COPIED], ['sdk-cli']], 'interactive'],
  ['a person, as a fork that was never continued', [['sdk-cli', COPIED]], 'interactive'],
])('takes a session for that of %s', (_name, lines, source) => {
  const entrypoints = new Entrypoints();
  for (const [entrypoint, isCopied = false] of lines) entrypoints.add(entrypoint, isCopied);
  expect(entrypoints.describe(false).source).toBe(source);
  expect(entrypoints.describe(true)).toMatchObject({ source: 'subagent' });
});
