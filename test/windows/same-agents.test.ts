import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FIXTURES as CODEX, RECORDED } from '../session/agents/codex/corpus.ts';
import { findDifferences, NOTHING } from './compare.ts';

const CLAUDE_CODE = fileURLToPath(new URL('../fixtures/claude-code', import.meta.url));
/** Of Codex. */
const LINEAR = '01a1fff1-6b05-7230-8d0d-27ae6e7ae020';
const FIRST = 'aaaaaaaa-0000-4000-8000-000000000001';

/** Sessions below the home of the user, where each agent looks for them. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  'Claude Code: list, validate, fork and migrate': [
    'list --json --usage',
    'list --by project --json',
    'list --project C:\\Users\\me\\Src --json',
    `list ${FIRST} --entries --json`,
    // Whether a file of Linux with the output of a tool is gone cannot be said elsewhere.
    'validate --rule tool-results-missing=off --json',
    'validate --rule tool-results-missing=off --fix --json',
    `fork ${FIRST} --cwd /home/u/elsewhere --id cccccccc-0000-4000-8000-000000000001 --json`,
    `fork ${FIRST} --cwd D:\\work\\one --id cccccccc-0000-4000-8000-000000000002 --json`,
    'migrate --cwd /home/u/demo-project=D:\\demo --apply --json',
    'migrate --to pi --out pi --json',
  ],
  'Claude Code: compact': [
    'compact --images extract --tool-output 200B --apply --json',
    'compact --images restore --apply --json',
    'compact --copies --apply --json',
    'compact --superseded-state --apply --json',
    // Its line names the file, so the next sizes are others.
    'compact --force --keep-recent-tokens 1 --apply --json',
  ],
  'Claude Code: export, archive and restore': [
    'export --as md --out md --json',
    'export --as html --out html --json',
    'export --as jsonl --out jsonl --json',
    'export --as json --out json --json',
    'export --as parquet --out parquet --json',
    'prune --orphans --apply --delete --json',
    'prune --older-than 30d --allow-empty --apply --archive archive --json',
    'prune --archive archive --list --json',
    'prune --archive archive --restore all --json',
    'prune --older-than 30d --keep-last 3 --apply --delete --json',
  ],
  'Codex: list, validate, fork, migrate and compact': [
    'list --json --usage',
    'list --by project --json',
    'list --lineage --json',
    'validate --rule rollout-cwd-missing=off --json',
    `fork ${LINEAR} --id 01a1fffd-0000-7000-8000-000000000001 --json`,
    'migrate --assume-cwd /home/u2/there --apply --json',
    'migrate --cwd /home/u2=D:\\work --apply --json',
    'compact --tool-output 200B --images drop --superseded-state --apply --json',
    'compact --force --keep-recent-tokens 1 --apply --json',
    'migrate --to pi --out pi --json',
  ],
  'Codex: export, archive and restore': [
    'export --as md --out md --json',
    'export --as html --out html --json',
    'export --as jsonl --out jsonl --json',
    'export --as json --out json --json',
    'export --as parquet --out parquet --json',
    'prune --older-than 30d --include-pinned --allow-empty --apply --archive archive --json',
    'prune --archive archive --list --json',
    'prune --archive archive --restore all --json',
    'prune --older-than 30d --include-pinned --keep-last 3 --apply --delete --json',
  ],
};

function makeWorld(dir: string): void {
  const home = join(dir, 'home');
  cpSync(join(CLAUDE_CODE, 'home/.claude'), join(home, '.claude'), { recursive: true });
  // The process of that number may be anybody's: held.test.ts.
  rmSync(join(home, '.claude/sessions'), { recursive: true });
  const projects = join(home, '.claude/projects');
  mkdirSync(join(projects, '-corpus'));
  for (const name of readdirSync(CLAUDE_CODE).filter((one) => one.endsWith('.jsonl')))
    cpSync(join(CLAUDE_CODE, name), join(projects, '-corpus', name));
  const text = readFileSync(join(projects, '-home-u-demo-project', `${FIRST}.jsonl`), 'utf8');
  mkdirSync(join(projects, 'C--Users-me-src'));
  writeFileSync(
    join(projects, 'C--Users-me-src', `${FIRST.replace(/1$/, '9')}.jsonl`),
    text
      .replaceAll(FIRST, FIRST.replace(/1$/, '9'))
      .replaceAll('"/home/u/demo-project"', String.raw`"C:\\Users\\me\\src"`),
  );
  for (const { name, place, also } of RECORDED) {
    for (const one of [{ file: `${name}.jsonl`, place }, ...also]) {
      const path = join(home, '.codex', one.place);
      mkdirSync(dirname(path), { recursive: true });
      cpSync(join(CODEX, one.file), path);
    }
  }
}

/** Commands that take the grace time into account. */
const CHANGES = /^(?:migrate|compact|prune)/;

function toArguments(line: string, agent: string): readonly string[] {
  const isChange = CHANGES.test(line) && !/--(?:list|restore)/.test(line);
  const selected = /--(?:list|restore|orphans)/.test(line) ? [] : ['--agent', agent];
  return [...line.split(' '), ...selected, ...(isChange ? ['--grace', '0s'] : []), '--jobs', '1'];
}

describe('other agents give the same under node.exe as here', () => {
  it.each(Object.entries(SCENARIOS))('%s', async (name, lines) => {
    const agent = name.startsWith('Codex') ? 'codex' : 'claude-code';
    const found = await findDifferences({
      lines,
      makeWorld,
      toArguments: (line) => toArguments(line, agent),
    });
    expect(found).toEqual(NOTHING);
  });
});
