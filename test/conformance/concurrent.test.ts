import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTest } from '../memory-terminal.ts';
import { assistant, call, result, toSession, user } from '../session-lines.ts';
import { toJsonl } from '../temp-dir.ts';
import { NODE, Reference } from './reference.ts';

const APPENDER = fileURLToPath(new URL('reference/append.mjs', import.meta.url));
const ROUNDS = process.env['COPPICE_LONG'] === '1' ? 60 : 6;
const LATE = 40;

const dir = mkdtempSync(join(tmpdir(), 'coppice-concurrent-'));
const path = join(dir, 's.jsonl');
let reference: Reference;
let appender: ReturnType<typeof startAppender>;

beforeAll(() => {
  reference = new Reference();
  appender = startAppender();
});
afterAll(async () => {
  appender.stop();
  await reference.close();
  rmSync(dir, { recursive: true });
});

/** The real pi in a process of its own. */
function startAppender() {
  const child = spawn(NODE, [APPENDER], { env: { HOME: dir, TZ: 'UTC' } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  return {
    /** Once pi has the session open; the ids of what it then appends. */
    begin: async () => {
      child.stdin.write(`${JSON.stringify({ path, count: LATE })}\n`);
      expect(await next()).toBe('open');
      const work = {
        isOver: false,
        ids: next().then((line): readonly string[] => JSON.parse(line)),
      };
      void work.ids.finally(() => (work.isOver = true));
      return work;
    },
    stop: () => child.kill('SIGKILL'),
  };
}

const image = {
  type: 'image',
  data: Buffer.alloc(900, 7).toString('base64'),
  mimeType: 'image/png',
};
const TALK = [
  user([{ type: 'text', text: 'Look.' }, image]),
  call('c1', 'bash', { command: 'ls' }),
  result('c1', 'bash', 'long '.repeat(2000)),
  assistant('Seen. '.repeat(50)),
  { type: 'custom', customType: 'state', data: { a: 1 } },
  { type: 'custom', customType: 'state', data: { a: 2 } },
  user('And now?'),
  assistant('Done. '.repeat(50)),
];
const HEALTHY = toJsonl(toSession(TALK));
/** Two records on one line. */
const GLUED = HEALTHY.replace('}\n{"type":"message","id":"e1"', '}{"type":"message","id":"e1"');

const NOW = ['s.jsonl', '--apply', '--grace', '0s'];
const COMMANDS: readonly (readonly [name: string, text: string, argv: readonly string[]])[] = [
  ['compact', HEALTHY, ['compact', ...NOW, '--force', '--keep-recent-tokens', '100']],
  ['compact --images extract', HEALTHY, ['compact', ...NOW, '--images', 'extract']],
  ['compact --tool-output', HEALTHY, ['compact', ...NOW, '--tool-output', '1kB']],
  ['compact --superseded-state', HEALTHY, ['compact', ...NOW, '--superseded-state']],
  ['validate --fix', GLUED, ['validate', 's.jsonl', '--fix', '--grace', '0s']],
  ['fork', HEALTHY, ['fork', 's.jsonl', '--out', 'out']],
  // These would take the file away from under pi, and leave alone what is in use.
  ['migrate --cwd', HEALTHY, ['migrate', 's.jsonl', '--apply', '--cwd', '/a=/b']],
  [
    'prune',
    HEALTHY,
    ['prune', 's.jsonl', '--apply', '--delete', '--max-messages', '9', '--allow-empty'],
  ],
];

interface Line {
  readonly type: string;
  readonly id?: string;
  readonly parentId?: string | null;
}

/** Ids of entries whose parent is not in the file. */
function findOrphans(entries: readonly Line[]): readonly string[] {
  const ids = new Set(entries.map(({ id }) => id));
  return entries.flatMap(({ id = '', parentId }) =>
    typeof parentId === 'string' && !ids.has(parentId) ? [id] : [],
  );
}

describe.each(COMMANDS)('%s, while the real pi appends', (_name, text, argv) => {
  it('loses not one entry, and leaves a chain that pi can follow', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      writeFileSync(path, text);
      const work = await appender.begin();
      const now = Date.now;
      while (!work.isOver) {
        const { exitCode } = await runTest(argv, { cwd: dir, home: dir, now });
        expect([0, 1, 2]).toContain(exitCode);
      }
      // As often as they met, the file may have changed under it each time.
      await runTest(argv, { cwd: dir, home: dir, now });
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
      const entries = lines.slice(1).map((line): Line => JSON.parse(line));
      const late = new Set(await work.ids);
      expect(entries.filter(({ id = '' }) => late.has(id))).toHaveLength(LATE);
      expect(findOrphans(entries)).toEqual([]);
      const opened = await reference.ask({ ask: 'session', path });
      expect(opened.entryCount).toBe(entries.length);
      rmSync(join(dir, 'out'), { recursive: true, force: true });
    }
  });
});
