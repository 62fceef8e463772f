import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCurrentLines } from '../../../../../src/session/read/upgraded-lines.ts';
import { forkSession } from '../../../../../src/session/fork/fork-session.ts';
import { migrateSession } from '../../../../../src/session/migrate/migrate-session.ts';
import { readSession } from '../../../../../src/session/read/read-session.ts';
import { createIds } from '../../../../memory-terminal.ts';
import { makeTempDir } from '../../../../temp-dir.ts';

const TIME = Date.parse('2025-01-01T00:00:00.000Z');
const header = {
  type: 'session',
  id: '01991b6a-0000-7000-8000-000000000001',
  timestamp: new Date(TIME).toISOString(),
  cwd: '/p',
};
/** Only v1 had these; nothing reads them since, and nothing is to drop them. */
const extras = fc.record(
  {
    provider: fc.constant('anthropic'),
    modelId: fc.constant('claude'),
    thinkingLevel: fc.constant('off'),
    branchedFrom: fc.constant('/old.jsonl'),
    createdAt: fc.constant(TIME),
    n: fc.constantFrom(1, 'x', null),
  },
  { requiredKeys: [] },
);

const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'hookMessage'),
  content: fc.oneof(fc.string(), fc.constant([{ type: 'text', text: 'é' }])),
});
const payload = fc.oneof(
  message.map((one) => ({ type: 'message', message: one })),
  fc.nat(9).map((index) => ({ type: 'compaction', summary: 's', firstKeptEntryIndex: index })),
  fc.constant({ type: 'thinking_level_change', thinkingLevel: 'high' }),
);
const payloads = fc.array(payload, { minLength: 1, maxLength: 8 });
const at = (index: number): number => TIME + index * 1000;

const v1 = fc.tuple(extras, payloads).map(([extra, list]) => {
  const lines = list.map((one, index) => ({
    ...one,
    timestamp: new Date(at(index)).toISOString(),
  }));
  return [{ ...header, ...extra }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
});
const v2 = fc.tuple(extras, payloads).map(([extra, list]) => {
  const lines = list.map((one, index) => ({
    ...one,
    id: `aaaa000${index}`,
    parentId: index === 0 ? null : `aaaa000${index - 1}`,
    timestamp: new Date(at(index)).toISOString(),
  }));
  const all = [{ ...header, version: 2, ...extra }, ...lines];
  return all.map((line) => `${JSON.stringify(line)}\n`).join('');
});
const array = fc
  .tuple(extras, payloads, fc.constantFrom(undefined, 2))
  .map(([extra, list, indent]) => {
    const lines = list.map((one, index) => ({
      ...one,
      id: `aaaa000${index}`,
      parentId: index === 0 ? null : `aaaa000${index - 1}`,
      timestamp: at(index),
    }));
    return JSON.stringify([{ ...header, timestamp: TIME, ...extra }, ...lines], null, indent);
  });

describe('a session of an old version', () => {
  it('becomes the same bytes in migrate, in fork --whole and in export --as jsonl', async () => {
    const dir = await makeTempDir();
    let count = 0;
    const property = fc.asyncProperty(fc.oneof(v1, v2, array), async (text) => {
      count += 1;
      const path = join(dir, `${count}.${text.startsWith('[') ? 'json' : 'jsonl'}`);
      await writeFile(path, text);

      const exported: Buffer[] = [];
      const { session, dialect } = await readSession(path);
      const { entries } = session;
      for await (const line of readCurrentLines({ session, dialect, entries })) exported.push(line);

      const world = { now: () => at(100), createId: createIds(), cwd: '/' };
      const request = { start: { kind: 'whole' } as const, directory: join(dir, `f${count}`) };
      const [fork] = await forkSession(path, request, { world });
      const forked = await readFile(fork?.path ?? '', 'utf8');

      const out = join(dir, 'out', basename(path));
      const result = await migrateSession(path, {
        apply: true,
        out,
        findUse: () => undefined,
      });
      expect(result).toMatchObject({ action: 'migrate' });
      const newPath = 'newPath' in result ? result.newPath : undefined;
      const migrated = await readFile(newPath ?? out, 'utf8');

      const own = Buffer.concat(exported).toString('utf8');
      expect(own).toBe(migrated);
      const withoutHeader = (lines: string): string => lines.slice(lines.indexOf('\n'));
      // The header of a fork is its own.
      expect(withoutHeader(forked)).toBe(withoutHeader(migrated));
    });
    await fc.assert(property, { seed: 5, numRuns: 25 });
  });
});
