import { readFileSync } from 'node:fs';
import * as zlib from 'node:zlib';
import {
  BELOW,
  EARLY,
  LATE,
  makeFamilyTexts,
  toPlace,
} from '../../session/agents/codex/made-family.ts';
import { toZstd } from '../../zstd-frames.ts';
import { isCompressed } from '../../../src/session/jsonl/zstd/is-compressed.ts';
import { canPack } from '../../../src/session/jsonl/zstd/packing.ts';
import { runIn, type Texts, toScenario, without } from './to-scenario.ts';
import type { Files } from './sandbox.ts';
import type { Scenario } from './walk.ts';

const CODEX_FIXTURES = new URL('../../fixtures/codex/', import.meta.url);

/** A thread of Codex before 0.148, whose name is a line of a file, and the fork of one of the same home. */
export const CODEX = readCodex(['legacy-linear', 'fork-parent', 'fork-child']);

function readCodex(names: readonly string[]): Texts {
  const texts = names.map((name) => {
    const read = (file: string): string => readFileSync(new URL(file, CODEX_FIXTURES), 'latin1');
    const { place } = JSON.parse(read(`${name}.expected.json`)) as { readonly place: string };
    return [`home/.codex/${place}`, read(`${name}.jsonl`)] as const;
  });
  const index = '{"id":"x","thread_name":"Other","updated_at":"2026-01-01T00:00:00Z"}\n';
  return Object.fromEntries([...texts, ['home/.codex/session_index.jsonl', index]]);
}

export const FORK_ID = '01900000-0000-7000-8000-0000000000aa';
export const [THREAD = ''] = Object.keys(CODEX);

const ON_CODEX = ['--store', 'home/.codex/sessions', '--jobs', '1', '--no-cache'];
const REMOVE = [
  'prune',
  ...ON_CODEX,
  '--larger-than',
  '1B',
  '--grace',
  '0s',
  '--allow-empty',
  '--include-pinned',
];
const ARCHIVE = [...REMOVE, '--apply', '--archive', 'archive'];
/** A session without another file. */
const ONE_THREAD = { [THREAD]: CODEX[THREAD] ?? '' };

/** A thread with what lies beside it, and in other directories of its home. */
const [, THREAD_ID = ''] = /-([\da-f]{8}-[\da-f-]{27})\.jsonl$/.exec(THREAD) ?? [];
const WHOLE_THREAD = {
  ...ONE_THREAD,
  [THREAD.replace('.jsonl', `/${'0a'.repeat(32)}.png`)]: 'picture',
  [`home/.codex/generated_images/${THREAD_ID}/1.png`]: 'another',
  [`home/.codex/shell_snapshots/${THREAD_ID}.1.sh`]: 'export A=1\n',
};
/** It goes after its session, if it can. */
const AROUND = { litter: /\.png$|\.sh$/ };

const PACKED = { [`${THREAD}.zst`]: toZstd(CODEX[THREAD] ?? '').toString('latin1') };
const PACK = ['compact', ...ON_CODEX, '--apply'];

/** Unpacks the files that are whole: their bytes depend on how much of the text each read returns. */
function unpackAll(files: Files): Files {
  const unpack = Reflect.get(zlib, 'zstdDecompressSync') as (bytes: Buffer) => Buffer;
  const states = [...files].map(([path, state]) => {
    if (!isCompressed(path)) return [path, state] as const;
    try {
      const text = unpack(Buffer.from(state.text, 'latin1')).toString('latin1');
      return [path, { ...state, text }] as const;
    } catch {
      return [path, state] as const;
    }
  });
  return new Map(states);
}

const FAMILY = Object.fromEntries(
  Object.entries(makeFamilyTexts()).map(([id, text]) => [toPlace('home/.codex', id), text]),
);
const KEPT = [EARLY, LATE, BELOW].flatMap((id) => ['--keep-id', id]);
const FLATTEN = [...REMOVE, ...KEPT, '--flatten', '--apply'];

/** Files that rely on no other are rewritten one after another. */
export const MOVES: readonly Scenario[] = [
  toScenario('migrate --cwd of Codex', CODEX, [
    'migrate',
    ...ON_CODEX,
    '--cwd',
    '/home/u2/demo-project=/home/u2/moved',
    '--apply',
  ]),
];

/** Commands that change threads of Codex, and bring them back. */
export const THREADS: readonly Scenario[] = [
  toScenario(
    'prune --restore of Codex',
    ONE_THREAD,
    ['prune', '--archive', 'archive', '--restore', 'all', '--jobs', '1'],
    { prepare: (root) => runIn(root, ARCHIVE) },
  ),
  toScenario('prune --delete of Codex', WHOLE_THREAD, [...REMOVE, '--apply', '--delete'], AROUND),
  toScenario('prune --archive of Codex', WHOLE_THREAD, ARCHIVE, {
    ...AROUND,
    normalize: without(/index\.ndjson$/),
  }),
  toScenario('prune --flatten --delete', FAMILY, [...FLATTEN, '--delete']),
  toScenario('prune --flatten --archive', FAMILY, [...FLATTEN, '--archive', 'archive'], {
    normalize: without(/index\.ndjson$/),
  }),
  toScenario('compact --superseded-state', FAMILY, [...PACK, '--superseded-state'], {
    pads: true,
  }),
  toScenario('compact --decompress', PACKED, [...PACK, '--decompress']),
  ...(canPack()
    ? [
        toScenario('compact --compress', ONE_THREAD, [...PACK, '--compress'], {
          normalize: unpackAll,
        }),
      ]
    : []),
];
