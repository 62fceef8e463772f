import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateSession } from '../../../../src/session/validate/validate-session.ts';
import { placeRecorded, RECORDED } from './corpus.ts';

/** What is wrong with the recorded files that something is wrong with: rule and line. */
const FINDINGS: Readonly<Record<string, readonly string[]>> = {
  'subagent-child': ['rollout-spawner-missing 1'],
  'broken-legacy-bad-utf8': ['rollout-invalid-utf8 16!'],
  'broken-legacy-call-without-output': ['rollout-call-open 11'],
  'broken-legacy-meta-twice-same': ['entry-time-backwards 7'],
  'broken-paginated-glued': ['line-glued 17!', 'ordinal-gap 18'],
  'broken-paginated-malformed-middle': ['line-malformed 8'],
  'broken-paginated-no-meta': ['rollout-header 1'],
  'broken-paginated-ordinal-dup': ['ordinal-order 17', 'ordinal-gap 18'],
  'broken-paginated-second-meta-in-middle': [
    'rollout-header-repeated 23!',
    'ordinal-order 23',
    'entry-time-backwards 23',
  ],
  'broken-paginated-torn-last': ['line-torn 29!'],
  'era-0.20': ['rollout-old 1'],
  'made-fork-flattened': ['ordinal-gap 30'],
  'made-reduced-drop-items': ['ordinal-gap 3', 'ordinal-gap 6', 'ordinal-gap 8', 'ordinal-gap 13'],
  'tools-mixed': ['rollout-call-open 11'],
};

/** The directories of the recorded threads are those of another machine. */
const HERE = new Map([['rollout-cwd-missing', 'off']] as const);

describe('the rules for rollouts', () => {
  it.each(RECORDED.map((recorded) => [recorded.name, recorded] as const))(
    'find what is wrong, and nothing else: %s',
    async (name, recorded) => {
      const path = await placeRecorded(recorded);
      const { findings } = (await validateSession(path, { levels: HERE })) ?? { findings: [] };
      const told = findings.map(
        ({ rule, line, fixable }) => `${rule} ${line}${fixable ? '!' : ''}`,
      );
      expect(told).toEqual(FINDINGS[name] ?? []);
    },
  );
});

describe('rollout-cwd-missing', () => {
  it('reports the directory of the last settings, unless it is there', async () => {
    const recorded = RECORDED.find(({ name }) => name === 'model-and-cwd-switch');
    const path = recorded && (await placeRecorded(recorded));
    const text = await readFile(path ?? '', 'utf8');
    const find = async (): Promise<readonly string[]> => {
      const validation = await validateSession(path ?? '', { levels: new Map() });
      const found = validation?.findings.filter(({ rule }) => rule === 'rollout-cwd-missing') ?? [];
      return found.map(({ level, message }) => `${level}: ${message}`);
    };
    expect(await find()).toEqual(['info: the working directory /home/u2/other is not found here']);
    const there = JSON.stringify(dirname(path ?? ''));
    await writeFile(path ?? '', text.replaceAll('"/home/u2/other"', there));
    expect(await find()).toEqual([]);
    await writeFile(path ?? '', text.replaceAll('/home/u2/other', String.raw`C:\\\\x`));
    expect(await find()).toEqual([]);
  });
});
