import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resolveLabels } from '../../src/session/model/tree/labels.ts';
import { readContext } from '../../src/session/read/read-context.ts';
import { readSession } from '../../src/session/read/read-session.ts';
import { buildTree, getPath, walkTree } from '../../src/session/model/tree/tree.ts';
import { type OpenedSession, Reference } from './reference.ts';
import { findSessionFiles } from './session-files.ts';

let reference: Reference;

beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

/** As JSON: what is undefined on either side is not there. */
function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

async function describeSession(path: string) {
  const { session } = await readSession(path);
  const ordinals = new Map(session.entries.map((entry, ordinal) => [entry, ordinal]));
  const tree = buildTree(session.entries);
  const labels = resolveLabels(session.entries);
  const name = session.entries.findLast(({ type }) => type === 'session_info')?.name;
  return {
    entryCount: session.entries.length,
    name: name || undefined,
    branchOrdinals: getPath(tree, tree.leaf).map((entry) => ordinals.get(entry)),
    // pi files all entries without an id under one key, and so shows the last of them only.
    tree: [...walkTree(tree)]
      .filter(({ entry }) => entry.id !== undefined)
      .map(({ entry, depth }) => ({
        ordinal: ordinals.get(entry),
        depth,
        label: labels.get(entry.id ?? '')?.text,
      })),
  };
}

function describeTheirs({ entryCount, name, branchOrdinals, tree }: OpenedSession) {
  const named = tree.filter(({ id }) => id !== undefined);
  const rows = named.map(({ ordinal, depth, label }) => ({ ordinal, depth, label }));
  return { entryCount, name, branchOrdinals, tree: rows };
}

describe('a session means to us what it means to pi', () => {
  it.each(findSessionFiles().map((path) => [basename(path), path]))('%s', async (_name, path) => {
    const theirs = await reference.ask({ ask: 'session', path });
    const ours = await describeSession(path);
    // pi finds no way back from an entry without an id, though it projects that entry.
    const branchOrdinals =
      theirs.leafId === undefined ? ours.branchOrdinals : theirs.branchOrdinals;
    expect(toJson(ours)).toEqual(toJson({ ...describeTheirs(theirs), branchOrdinals }));
    expect(toJson(await readContext(path))).toEqual(toJson(theirs.context));
  });

  it('from any entry of any branch', async () => {
    let compared = 0;
    for (const path of findSessionFiles()) {
      const { session } = await readSession(path);
      const step = Math.ceil(session.entries.length / 40);
      for (const [ordinal, { id }] of session.entries.entries()) {
        if (id === undefined || ordinal % step !== 0) continue;
        const theirs = await reference.ask({ ask: 'contextAt', path, entryOrdinal: ordinal });
        const ours = await readContext(path, { leafId: id });
        expect(toJson(ours), `${basename(path)} at ${ordinal}`).toEqual(toJson(theirs));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(200);
  });
});
