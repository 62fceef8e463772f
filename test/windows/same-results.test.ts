import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findDifferences, NOTHING } from './compare.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));
const SAMPLES = fileURLToPath(new URL('../../samples/sessions', import.meta.url));

/** Commands that follow each other; every one in a directory with the sessions in `store`. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  'list, in every form': [
    'list --json',
    'list --usage --format ndjson',
    'list --by project --json',
    'list --by model --json',
    'list --lineage --json',
    'list --sort size',
    'list --project /home/dev/src --json',
    'list store/--home-dev-src-api--/*.jsonl --json',
    'list 019df25e --entries --json',
    'list 019df25e --info --json',
  ],
  'validate, in every format': [
    'validate --json',
    'validate --format pretty',
    'validate --format sarif',
    'validate --format junit',
    'validate --format gitlab',
    'validate --format github',
    'validate --fix --json',
    'validate --json',
  ],
  'migrate, in place, with a backup, to another place and for a moved project': [
    'migrate --check --json',
    'migrate --out out --apply --json',
    'migrate --backup .bak --apply --json',
    'migrate --cwd /home/dev/src=/srv/src --apply --json',
    'migrate --cwd /srv=D:\\work --apply --json',
    'migrate --check --json',
  ],
  fork: [
    'fork 019df25e --json',
    'fork 019df25e --points --json',
    'fork store/recorded --out forks --json',
    'fork store/recorded/0.30.2-every-message.jsonl --out forks --each-leaf --json',
    'fork 019df25e --cwd /home/dev/elsewhere --name again --json',
    'fork 019df25e --in-place --at 6bdb11d9 --apply --json',
  ],
  'compact, with a summary': [
    'compact --force --keep-recent-tokens 1 --json',
    'compact --force --keep-recent-tokens 1 --apply --json',
  ],
  'compact, with images and other reducers': [
    'compact --images extract --apply --json',
    'compact --images restore --apply --json',
    'compact --images drop --apply --json',
    'compact --tool-output 200B --apply --json',
    'compact --superseded-state --apply --json',
    'compact --abandoned-branches --summarized --apply --json',
  ],
  'prune, to an archive and back, and for good': [
    'prune --older-than 30d --json',
    'prune --keep-last 2 --plan-out plan --json',
    'compact --images extract --apply --json',
    'prune --older-than 30d --allow-empty --apply --archive archive --json',
    'prune --archive archive --list --json',
    'prune --archive archive --restore all --json',
    'prune --older-than 30d --keep-last 3 --apply --delete --json',
  ],
  'export, in every format': [
    'export --as md --out md --json',
    'export --as md --out md --json',
    'export --as html --out html --json',
    'export --as jsonl --out jsonl --json',
    'export --as text --out text --json',
    'export --as json --out json --json',
    'export --as chat --out chat --json',
    'export --as atif --out atif --json',
    'export --as sts --out sts --json',
    'export --as parquet --out parquet --json',
    'export --as md 019df25e',
  ],
};

/** Commands that take the grace time into account. */
const CHANGES = /^(?:migrate|compact|prune|fork .*--in-place)/;

function toArguments(line: string): readonly string[] {
  const words = line.split(' ');
  const store = line.includes('store/') ? [] : ['--store', 'store'];
  const isPruneBack = line.includes('--list');
  const grace =
    CHANGES.test(line) && !/--(?:check|list|restore)/.test(line) ? ['--grace', '0s'] : [];
  return [...words, ...(isPruneBack ? [] : store), ...grace, '--jobs', '1'];
}

/** Recorded sessions of every version of pi and Neovate, and the samples. */
function makeWorld(dir: string): void {
  const store = join(dir, 'store');
  cpSync(SAMPLES, store, { recursive: true });
  for (const name of ['recorded', 'neovate', 'refused']) {
    cpSync(join(FIXTURES, name), join(store, name), { recursive: true });
  }
}

describe('the seven commands give the same under node.exe as here', () => {
  it.each(Object.entries(SCENARIOS))('%s', async (_name, lines) => {
    const found = await findDifferences({ lines, makeWorld, toArguments });
    expect(found).toEqual(NOTHING);
  });
});
