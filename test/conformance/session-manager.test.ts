import { copyFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SessionManager } from '../../src/index.ts';
import type { SessionTreeNode } from '../../src/library/manager/entries.ts';
import { validateSession } from '../../src/session/validate/validate-session.ts';
import { makeTempDir } from '../temp-dir.ts';
import { treeScripts } from './scripts/tree-scripts.ts';
import { type Json, NEWEST, type Operation, Reference } from './reference.ts';
import { findSessionFiles } from './session-files.ts';

let reference: Reference;

beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}

async function openCopy(path: string): Promise<SessionManager> {
  const copy = join(await makeTempDir(), basename(path));
  copyFileSync(path, copy);
  return SessionManager.open(copy);
}

function flatten(manager: SessionManager) {
  const ordinals = new Map(manager.getEntries().map((entry, ordinal) => [entry, ordinal]));
  const rows: object[] = [];
  const pending = manager
    .getTree()
    .toReversed()
    .map((node) => ({ node, depth: 0 }));
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { entry, children, label }: SessionTreeNode = next.node;
    // pi files all entries without an id under one key, and so shows the last of them only.
    if (entry.id) rows.push({ ordinal: ordinals.get(entry), depth: next.depth, label });
    const depth = next.depth + 1;
    for (const node of children.toReversed()) pending.push({ node, depth });
  }
  return rows;
}

/** Sessions of v1 that pi has forked under a header of v3: pi shows nothing of them but their last entry. */
const [broken, whole] = [true, false].map((isBroken) =>
  findSessionFiles().filter((path) => hasLostIds(path) === isBroken),
);

function hasLostIds(path: string): boolean {
  const [header, ...lines] = readFileSync(path, 'utf8').split('\n');
  const isCurrent = /"version":3/.test(header ?? '');
  return isCurrent && lines.some((line) => line.startsWith('{') && !line.includes('"id":"'));
}

/** What a file has that an agent or a person would stumble over. */
async function findErrors(path: string): Promise<readonly string[]> {
  const found = await validateSession(path, { levels: new Map() });
  const errors = found?.findings.filter(({ level }) => level === 'error') ?? [];
  return errors.map(({ rule, message }) => `${rule}: ${message}`);
}

const toCases = (paths: readonly string[] = []) => paths.map((path) => [basename(path), path]);

describe('SessionManager answers as pi does', () => {
  it.each(toCases(whole))('on %s', async (_, path) => {
    const theirs = await reference.ask({ ask: 'session', path });
    const ours = await openCopy(path);
    const rows = theirs.tree.map(({ ordinal, depth, label }) => ({ ordinal, depth, label }));
    expect(toJson(flatten(ours))).toEqual(toJson(rows));
    expect(ours.getEntries()).toHaveLength(theirs.entryCount);
    expect(ours.getSessionName()).toBe(theirs.name);
    expect(ours.getBranch()).toHaveLength(theirs.branch.length);
    expect(toJson(ours.buildSessionContext())).toEqual(toJson(theirs.context));
    // Opening has written nothing.
    expect(readFileSync(ours.getSessionFile() ?? '')).toEqual(readFileSync(path));
  });

  it.each(toCases(broken))('and mends %s, where pi finds no path', async (_, path) => {
    const theirs = await reference.ask({ ask: 'session', path });
    const ours = await openCopy(path);
    expect(ours.getEntries()).toHaveLength(theirs.entryCount);
    expect(ours.getBranch().length).toBeGreaterThan(theirs.branch.length);
  });

  it('on a new session made at any entry of any session', async () => {
    let compared = 0;
    for (const path of whole ?? []) {
      const entries = (await openCopy(path)).getEntries();
      const isHealthy = (await findErrors(path)).length === 0;
      const step = Math.ceil(entries.length / 40);
      for (let ordinal = 0; ordinal < entries.length; ordinal += step) {
        const theirs = await reference.ask({ ask: 'fork', path, entryOrdinal: ordinal });
        const manager = await openCopy(path);
        const file = manager.createBranchedSession(entries[ordinal]?.id ?? '') ?? '';
        const written = existsSync(file);
        const ours = {
          where: `${basename(path)} at ${ordinal}`,
          context: toJson(manager.buildSessionContext()),
          lines: written ? normalize(readLines(file)) : null,
          mode: written ? statSync(file).mode & 0o777 : null,
          errors: written && isHealthy ? await findErrors(file) : [],
        };
        expect(ours).toEqual({
          where: ours.where,
          context: toJson(theirs.context),
          lines: theirs.written ? normalize(toLines(theirs.text)) : null,
          mode: theirs.written ? 0o600 : null,
          errors: [],
        });
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(150);
  });

  it('to any sequence of calls, and leaves the same file', async () => {
    const runs = Number(process.env['SCRIPTS'] ?? 300);
    await fc.assert(
      fc.asyncProperty(treeScripts(NEWEST), async (ops) => {
        const cwd = '/home/dev/orchard';
        const dir = await makeTempDir();
        const script = { release: NEWEST, ops, cwd, dir: await makeTempDir() } as const;
        const theirs = await reference.ask({ ask: 'script', ...script });
        const manager = SessionManager.create(cwd, dir);
        const results = run(manager, ops);
        const file = manager.getSessionFile() ?? '';
        const lines = existsSync(file) ? readLines(file) : null;
        const ours = normalize({ results: toJson(results), lines });
        const theirLines = theirs.text === null ? null : toLines(theirs.text);
        expect(ours).toEqual(normalize({ results: theirs.results, lines: theirLines }));
      }),
      { numRuns: runs },
    );
  });
});

/** Calls the methods of a script, as the other side does with pi's. */
function run(manager: SessionManager, ops: readonly Operation[]): readonly unknown[] {
  const methods = manager as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
  const results: unknown[] = [];
  for (const [method, ...args] of ops) {
    const given = args.map((arg) => resolve(arg, results));
    results.push(methods[method]?.call(manager, ...given) ?? null);
  }
  return results;
}

function resolve(value: Json, results: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
  const result = results[Number(value['$ref'])];
  return typeof result === 'object' && result && 'id' in result ? result.id : result;
}

function toLines(text: string): Json {
  expect(text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function readLines(path: string): Json {
  return toLines(readFileSync(path, 'utf8'));
}

const ID = /^(?:[0-9a-f]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Ids in the order in which they are met; no times; no paths of this run. */
function normalize(value: Json, ids = new Map<string, string>()): Json {
  if (typeof value === 'string') {
    if (value.startsWith('/') && value.endsWith('.jsonl')) return 'a session file';
    if (!ID.test(value)) return value;
    const known = ids.get(value) ?? `id ${ids.size}`;
    ids.set(value, known);
    return known;
  }
  if (Array.isArray(value)) return value.map((item: Json) => normalize(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([key, member]) => !key.toLowerCase().endsWith('timestamp') && member !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, normalize(member, ids)]));
}
