import { describe, expect, it } from 'vitest';
import { findEntry } from '../../../../src/session/model/tree/find-entry.ts';
import type { Session } from '../../../../src/session/model/session.ts';
import { buildTree } from '../../../../src/session/model/tree/tree.ts';
import { makeEntries } from '../../make-entries.ts';

const label = (id: string, targetId: string, text: string | undefined) => ({
  id,
  type: 'label',
  targetId,
  label: text,
});

const entries = makeEntries(
  { id: 'abcd0001' },
  { id: 'abcd0002' },
  { id: 'feed0003' },
  label('l1', 'abcd0001', 'start'),
  label('l2', 'abcd0002', 'twice'),
  label('l3', 'feed0003', 'twice'),
  label('l4', 'feed0003', 'feed0003'),
  label('l5', 'abcd0002', 'abcd0001'),
);
const stamp = { dev: '0', ino: '0', size: 0, mtimeMs: 0, ctimeMs: 0, mode: 0 };
const session: Session = {
  path: '/s.jsonl',
  agent: 'pi',
  formatVersion: 3,
  header: undefined,
  entries,
  stamp,
};

function find(name: string): string | undefined {
  return findEntry(session, buildTree(entries), name).id;
}

describe('findEntry', () => {
  it('finds an entry by its label, its id or a prefix of 4 characters', () => {
    expect(find('start')).toBe('abcd0001');
    expect(find('abcd0002')).toBe('abcd0002');
    expect(find('feed')).toBe('feed0003');
  });

  it('takes no label that has been replaced', () => {
    expect(() => find('twice')).toThrow('has no entry and no label twice');
  });

  it('finds an entry whose label is its own id', () => {
    expect(find('feed0003')).toBe('feed0003');
  });

  it('refuses what matches several entries, and names them', () => {
    expect(() => find('abcd')).toThrow('matches 2 entries: abcd0001 (line 2), abcd0002 (line 3)');
    expect(() => find('abcd0001')).toThrow('abcd0001 matches 2 entries');
  });

  it('names no ids but those that agents make, since others may hold a secret', () => {
    const others = makeEntries(
      { id: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a' },
      { id: 'ghp_26C7e42F292c6912E7710c838347Ae178B4b' },
    );
    const findOther = (): unknown =>
      findEntry({ ...session, entries: others }, buildTree(others), 'ghp_');
    expect(findOther).toThrow('ghp_ matches 2 entries: ? (line 2), ? (line 3)');
  });

  it('refuses what is not there, and prefixes that are too short', () => {
    expect(() => find('nowhere')).toThrow('has no entry and no label nowhere');
    expect(() => find('fee')).toThrow('a prefix needs 4 characters');
  });

  it('is not led astray by the names of object members', () => {
    expect(() => find('__proto__')).toThrow('has no entry');
    expect(() => find('constructor')).toThrow('has no entry');
  });
});
