import { describe, expect, it } from 'vitest';
import {
  type LinePlace,
  upgradeLine,
} from '../../../../../src/session/agents/pi/migrate/upgrade-line.ts';

function upgrade(line: string, version: number, place: LinePlace): string {
  return upgradeLine(Buffer.from(line), JSON.parse(line), version, place).toString('utf8');
}

describe('upgradeLine', () => {
  it('keeps a v3 line that hangs where it hung, byte for byte', () => {
    const line = '{"type":"custom", "id":"a","parentId":null,"n":1.0,"1":12345678901234567890}';
    expect(upgrade(line, 3, { id: 'a', parentId: null })).toBe(line);
  });

  it('changes of a v3 line the parent and the first kept entry only', () => {
    const line =
      '{"type":"compaction","id":"c","parentId":"l","firstKeptEntryId":"l","tokensBefore":1e3}';
    expect(upgrade(line, 3, { id: 'c', parentId: 'b', firstKeptEntryId: 'k' })).toBe(
      '{"type":"compaction","id":"c","parentId":"b","firstKeptEntryId":"k","tokensBefore":1e3}',
    );
  });

  it('gives a v1 line an id and a parent', () => {
    const line = '{"type":"message","timestamp":"t","message":{"role":"user"}}';
    expect(upgrade(line, 1, { id: 'a', parentId: null })).toBe(
      '{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"role":"user"}}',
    );
  });

  it('turns the index of a v1 compaction into an id, or into nothing', () => {
    const line = '{"type":"compaction","summary":"s","firstKeptEntryIndex":1}';
    expect(upgrade(line, 1, { id: 'b', parentId: 'a', firstKeptEntryId: 'a' })).toBe(
      '{"type":"compaction","id":"b","parentId":"a","summary":"s","firstKeptEntryId":"a"}',
    );
    const place = { id: 'b', parentId: 'a' };
    const without = '{"type":"compaction","id":"b","parentId":"a","summary":"s"}';
    expect(upgrade(line.replace(':1}', ':0}'), 1, place)).toBe(without);
    // Nowhere: there is nothing to put in its place.
    expect(upgrade(line, 1, place)).toBe(without.replace('}', ',"firstKeptEntryIndex":1}'));
  });

  it('renames the role of extension messages before v3, and not since', () => {
    const line = '{"type":"message","id":"a","parentId":null,"message":{"role":"hookMessage"}}';
    const place = { id: 'a', parentId: null };
    expect(upgrade(line, 2, place)).toBe(line.replace('hookMessage', 'custom'));
    expect(upgrade(line, 3, place)).toBe(line);
  });

  it('brings an element of the array dialect to one line, with a time in words', () => {
    const element = '{\n  "type": "message",\r\n  "id": "a", "parentId": null, "timestamp": 0\n}';
    expect(upgrade(element, 0, { id: 'a', parentId: null })).toBe(
      '{"type":"message","id":"a","parentId":null,"timestamp":"1970-01-01T00:00:00.000Z"}',
    );
  });
});
