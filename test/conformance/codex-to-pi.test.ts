import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContext } from '../../src/session/read/read-context.ts';
import { runTest } from '../memory-terminal.ts';
import { placeIn, RECORDED } from '../session/agents/codex/corpus.ts';
import { Reference } from './reference.ts';

let reference: Reference;
const tmp = mkdtempSync(join(realpathSync(tmpdir()), 'codex-to-pi-'));

beforeAll(() => {
  reference = new Reference();
});
afterAll(async () => {
  await reference.close();
  rmSync(tmp, { recursive: true });
});

const READ = RECORDED.filter(({ input, name }) => input !== undefined || name === 'era-0.20');

describe('a thread of Codex that was migrated to pi', () => {
  it.each(READ.map((recorded) => [recorded.name, recorded] as const))(
    'is opened by pi, which sends all of it: %s',
    async (name, recorded) => {
      const path = await placeIn(join(tmp, name), recorded);
      const out = join(tmp, `${name}-out`);
      const argv = ['migrate', path, '--to', 'pi', '--out', out, '--apply', '--grace', '0s'];
      const { exitCode } = await runTest(argv, { home: tmp, cwd: dirname(path) });
      expect(exitCode).toBe(0);
      const files = readdirSync(out, { recursive: true, encoding: 'utf8' });
      const file = join(out, files.find((one) => one.endsWith('.jsonl')) ?? '');
      const { context } = await reference.ask({ ask: 'session', path: file });
      expect(context.messages).toEqual((await readContext(file)).messages);
    },
  );
});
