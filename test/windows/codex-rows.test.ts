import { describe, expect, it } from 'vitest';
import { makeCodexHome } from './codex-home.ts';
import { findDifferences, NOTHING } from './compare.ts';

const PARENT = '01a1fffd-5184-7b42-a112-6bc9ed3ff874';
const FORK = '01a1fffd-53cf-7253-9911-3110f15894fd';
const PLAIN = '01a1fffd-5af9-75b0-aac2-5de81901cecc';

/** Each system judges its own paths: a directory is missing there, and not judged here. */
const ELSEWHERE = '--rule rollout-cwd-missing=off';

const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  'fork, migrate and validate --fix': [
    `validate ${ELSEWHERE} --fix --json`,
    `fork ${FORK} --id 01a1fffd-0000-7000-8000-000000000001 --json`,
    `fork ${PARENT} --cwd D:\\work\\api --id 01a1fffd-0000-7000-8000-000000000002 --json`,
    `fork ${PLAIN} --each-leaf --json`,
    'migrate --cwd /home/u2/src=/srv/src --apply --json',
    'migrate --cwd /home/u2/demo-project=D:\\demo --apply --json',
    `validate ${ELSEWHERE} --json`,
  ],
  'compact, by a summary, a reducer and compression': [
    'compact --force --keep-recent-tokens 1 --apply --json',
    'compact --superseded-state --apply --json',
    'compact --compress --apply --json',
    'list --json --usage',
    'compact --decompress --apply --json',
  ],
  'prune, to an archive and back, and for good': [
    `prune --older-than 30d --keep-id ${FORK} --include-parents --apply --archive archive --json`,
    'prune --archive archive --list --json',
    'prune --archive archive --restore all --json',
    'list --json --usage',
    'prune --older-than 30d --keep-last 3 --apply --delete --json',
  ],
};

const CHANGES = /^(?:migrate|compact|prune)/;

function toArguments(line: string): readonly string[] {
  const isBack = /--(?:list|restore)/.test(line);
  const selected = isBack ? [] : ['--agent', 'codex'];
  const grace = CHANGES.test(line) && !isBack ? ['--grace', '0s'] : [];
  return [...line.split(' '), ...selected, ...grace, '--jobs', '1'];
}

describe('Codex with its databases gives the same under node.exe 22 as here', () => {
  it.each(Object.entries(SCENARIOS))('%s', async (_name, lines) => {
    const found = await findDifferences({ lines, makeWorld: makeCodexHome, toArguments, node: 22 });
    expect(found).toEqual(NOTHING);
  });
});
