import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FileError } from '../../src/errors.ts';
import type { Line } from '../../src/session/jsonl/read/line-splitter.ts';
import { getStampSync } from '../../src/session/jsonl/files/sync-calls.ts';
import { replaceFile } from '../../src/session/jsonl/write/replace-file.ts';
import { migrateSession } from '../../src/session/migrate/migrate-session.ts';
import { makeTempDir } from '../temp-dir.ts';
import { start } from './coppice.ts';
import { makeSession } from './old-store.ts';

const LINES = 10_000;
const APPENDER = fileURLToPath(new URL('appender.mjs', import.meta.url));

function toCode(error: unknown): string {
  return error instanceof FileError ? error.code : String(error);
}

describe('a session that is appended to while it is migrated again and again', () => {
  it('loses no line', async () => {
    const path = join(await makeTempDir(), 's.jsonl');
    const actions = new Map<string, number>();
    const migrate = async (): Promise<void> => {
      const result = await migrateSession(path, { apply: true, findUse: () => undefined });
      const action = 'path' in result ? result.action : result.kind;
      actions.set(action, (actions.get(action) ?? 0) + 1);
    };
    // A busy machine may not let them meet: then it begins again, with a file of the same size.
    while ((actions.get('migrate') ?? 0) < 2) {
      writeFileSync(path, makeSession(500));
      const appender = start(process.execPath, [APPENDER, path, String(LINES)]);
      while (appender.child.exitCode === null) await migrate();
      expect((await appender.done).exitCode).toBe(0);
      await migrate();
      const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
      const late = lines.flatMap((line) => /"content":"late (\d+)"/.exec(line)?.[1] ?? []);
      expect(late.map(Number).toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: LINES }, (_, number) => number),
      );
      expect(lines).toHaveLength(1 + 500 + LINES);
      const others = lines.slice(1).filter((line) => !line.startsWith('{"type":"message","id":"'));
      expect(others).toEqual([]);
    }
    expect(actions.has('fail')).toBe(false);
  });

  it('loses no line of those that come at the very moment of the replacement', async () => {
    const path = join(await makeTempDir(), 's.jsonl');
    writeFileSync(path, makeSession(0));
    const appender = start(process.execPath, [APPENDER, path, String(LINES)]);
    const outcomes: string[] = [];
    const copy = ({ bytes, terminated }: Line): readonly Buffer[] =>
      terminated ? [bytes, Buffer.from('\n')] : [bytes];
    while (appender.child.exitCode === null) {
      const planned = getStampSync(path);
      const outcome = await replaceFile(path, copy, { planned }).catch(toCode);
      outcomes.push(typeof outcome === 'string' ? outcome : 'replaced');
    }
    await appender.done;
    const late = readFileSync(path, 'utf8').match(/"late \d+"/g) ?? [];
    expect([late.length, new Set(late).size]).toEqual([LINES, LINES]);
    expect(outcomes.filter((outcome) => outcome === 'replaced').length).toBeGreaterThan(1);
    expect(new Set([...outcomes, 'replaced', 'ECHANGED'])).toEqual(
      new Set(['replaced', 'ECHANGED']),
    );
  });
});
