import { describe, expect, it } from 'vitest';
import { findOldEntries, migrateText, parseLines } from './migrate-text.ts';

const HEADER = '{"type":"session","id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/p"}';
const V2 = HEADER.replace('"session"', '"session","version":2');
const V3 = HEADER.replace('"session"', '"session","version":3');

function lines(...all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}

describe('v1', () => {
  it('gets ids and parents behind the type, and keeps every other byte', () => {
    const payload = '"timestamp":"t", "message":{"role":"user","n":1.0,"2":1,"1":"\\u00e9"} }';
    const { text } = migrateText(lines(HEADER, `{"type":"message",${payload}`));
    const [header, entry] = text.split('\n');
    expect(header).toBe(V3);
    expect(entry).toMatch(/^\{"type":"message","id":"[0-9a-f]{8}","parentId":null,/);
    expect(entry?.endsWith(payload)).toBe(true);
  });

  it('chains each entry to the one before it', () => {
    const entry = '{"type":"thinking_level_change","thinkingLevel":"low"}';
    const [, a, b, c] = parseLines(migrateText(lines(HEADER, entry, entry, entry)).text);
    expect([a?.['parentId'], b?.['parentId'], c?.['parentId']]).toEqual([
      null,
      a?.['id'],
      b?.['id'],
    ]);
  });

  it('puts ids where they can go when the type is not in front', () => {
    const { text } = migrateText(lines(HEADER, '{ "x":1, "type":"custom" }', '{}', '{"id":7}'));
    const [, first, second, third] = text.split('\n');
    expect(first).toMatch(/^\{ "x":1, "type":"custom" ,"id":"\w{8}","parentId":null\}$/);
    expect(second).toMatch(/^\{"id":"\w{8}","parentId":"\w{8}"\}$/);
    expect(third).toMatch(/^\{"parentId":"\w{8}","id":"\w{8}"\}$/);
  });

  it('names the first kept entry by its id', () => {
    const compaction =
      '{"type":"compaction","summary":"s","firstKeptEntryIndex":2,"tokensBefore":1}';
    const { text, problems } = migrateText(
      lines(HEADER, '{"type":"a"}', '{"type":"b"}', compaction),
    );
    const [, , kept] = parseLines(text);
    expect(text).toContain(
      `"summary":"s","firstKeptEntryId":"${String(kept?.['id'])}","tokensBefore"`,
    );
    expect(text).not.toContain('firstKeptEntryIndex');
    expect(problems).toEqual([]);
  });

  it('keeps nothing when the index names the header, as pi does', () => {
    const { text } = migrateText(lines(HEADER, '{"type":"compaction","firstKeptEntryIndex":0}'));
    expect(text).not.toContain('firstKept');
  });

  it.each([['2'], ['99'], ['-1'], ['0.5'], ['1e9']])(
    'reports the index %s that points nowhere',
    (index) => {
      const compaction = `{"type":"compaction","firstKeptEntryIndex":${index}}`;
      const { text, problems } = migrateText(lines(HEADER, compaction, '{"type":"a"}'));
      expect(text).toContain(`"firstKeptEntryIndex":${index}`);
      expect(problems).toMatchObject([{ line: 2, code: 'kept-index-nowhere' }]);
    },
  );

  it('counts what pi counts: scalars and second headers, but no blank or broken lines', () => {
    const before = [HEADER, '', 'torn{', 'null', '"text"', HEADER, '{"type":"a"}'];
    const { text } = migrateText(lines(...before, '{"type":"compaction","firstKeptEntryIndex":3}'));
    const last = text.trimEnd().split('\n');
    expect(last.slice(1, 6)).toEqual(before.slice(1, 6));
    const id = /"id":"(\w+)"/.exec(last[6] ?? '')?.[1];
    expect(last[7]).toContain(`"firstKeptEntryId":"${id}"`);
  });

  it('leaves and names what does not parse, and hangs nothing on it', () => {
    const glued = '{"type":"message","message":{}}{"type":"message","message":{}}';
    const { text, problems } = migrateText(
      lines(HEADER, '{"type":"a"}', glued, '\0\0', '{"type":"b"}'),
    );
    const [, a, left, nul, b] = text.split('\n');
    expect([left, nul]).toEqual([glued, '\0\0']);
    expect(b).toContain(`"parentId":"${/"id":"(\w+)"/.exec(a ?? '')?.[1]}"`);
    expect(problems.map(({ line, code }) => [line, code])).toEqual([
      [3, 'line-glued'],
      [4, 'line-nul'],
    ]);
  });

  it('makes branchedFrom the parent session, byte for byte', () => {
    const branched = HEADER.replace('"cwd"', '"branchedFrom" : "\\/a\\u00e9","cwd"');
    expect(migrateText(lines(branched)).text).toBe(
      lines(V3.replace('"cwd"', '"parentSession" : "\\/a\\u00e9","cwd"')),
    );
    const both = HEADER.replace('"cwd"', '"branchedFrom":"a","parentSession":"b","cwd"');
    expect(migrateText(lines(both)).text).toContain('"branchedFrom":"a","parentSession":"b"');
  });

  it('makes messages of extensions custom, in v2 too', () => {
    const hook =
      '{"type":"message","id":"x","parentId":null,"message":{"role":"hookMessage","c":"hookMessage"}}';
    expect(migrateText(lines(V2, hook)).text).toBe(
      lines(V3, hook.replace('"role":"hookMessage"', '"role":"custom"')),
    );
    expect(migrateText(lines(HEADER, hook)).text).toContain('"role":"custom"');
  });

  it('keeps a last line without its line feed so, a BOM, and CRs', () => {
    const { text } = migrateText(`\ufeff${HEADER}\r\n{"type":"a"}\r\n{"type":"b"}`);
    expect(text).toMatch(/^\ufeff\{"type":"session","version":3,.*\}\r\n.*\r\n.*\}$/);
  });
});

describe('entries of v1 under a later header', () => {
  const entry = '{"type":"message","message":{"role":"user"}}';

  it('get a place, and what pi appended to them hangs on them', () => {
    const appended = '{"type":"message","id":"n1","message":{}}';
    const next = '{"type":"message","id":"n2","parentId":"n1","message":{}}';
    const root = '{"type":"message","id":"n3","parentId":null,"message":{}}';
    const migrated = migrateText(lines(V3, entry, entry, appended, next, root, entry));
    const [, a, b, c, d, e, f] = parseLines(migrated.text);
    const parents = [a, b, c, d, e, f].map((one) => one?.['parentId']);
    expect(parents).toEqual([null, a?.['id'], b?.['id'], 'n1', null, 'n3']);
    expect(migrated.text).toContain(`${next}\n${root}\n`);
  });

  it('never get an id that is taken further down', () => {
    const [, plain] = parseLines(migrateText(lines(V3, entry)).text);
    const taken = `{"type":"message","id":"${String(plain?.['id'])}","parentId":null,"message":{}}`;
    const [, other] = parseLines(migrateText(lines(V3, entry, taken)).text);
    expect(other?.['id']).toMatch(/^[0-9a-f]{9}$/);
  });

  it('leaves alone what no release for v1 has written', () => {
    const foreign = lines(
      V3,
      '{"type":"leaf","targetId":"x"}',
      '{"type":"message","id":"a","message":{}}',
    );
    expect(migrateText(foreign).text).toBe(foreign);
    expect(findOldEntries(Buffer.from(foreign)).found).toEqual({ withoutId: 0, withOldRole: 0 });
  });

  it('hangs an entry on an id of any characters', () => {
    const odd = String.raw`{"type":"message","id":"a\"\\é","parentId":null,"message":{}}`;
    const [, , child] = parseLines(migrateText(lines(V3, odd, entry)).text);
    expect(child?.['parentId']).toBe('a"\\é');
  });
});

describe('the array dialect', () => {
  it('becomes lines, tokens byte-equal, times in ISO 8601', () => {
    const array = `[
      {"type": "session", "id": "s", "timestamp": 1700000000000, "cwd": "/p"},
      {"type": "message", "id": "1", "parentId": null, "timestamp": 1700000000001,
       "message": {"role": "user", "content": "a\\n [ ,\\" b", "n": 1.50}}
    ]`;
    expect(migrateText(array, {}, 'array').text).toBe(
      lines(
        '{"type":"session","version":3,"id":"s","timestamp":"2023-11-14T22:13:20.000Z","cwd":"/p"}',
        '{"type":"message","id":"1","parentId":null,"timestamp":"2023-11-14T22:13:20.001Z",' +
          '"message":{"role":"user","content":"a\\n [ ,\\" b","n":1.50}}',
      ),
    );
  });

  it('gives entries without a time that of a neighbour, and answers what pi reads of them', () => {
    const usage = { input: 1, output: 2, cost: { input: 0.5, output: 0.25 } };
    const array = [
      { type: 'session', id: 's', timestamp: 1700000000000, cwd: '/p' },
      { type: 'message', id: '1', parentId: null, message: { role: 'user', content: 'Hi' } },
      { type: 'message', id: '2', parentId: '1', message: { role: 'assistant', content: 'Yo' } },
      {
        type: 'message',
        id: '3',
        parentId: '2',
        message: { role: 'user', content: 'x', timestamp: 1700000005000 },
      },
      {
        type: 'message',
        id: '4',
        parentId: '3',
        timestamp: 'noon',
        message: { role: 'assistant', content: [{ type: 'toolCall' }], provider: 'p', usage },
      },
      { type: 'message', id: '5', parentId: '4', message: { role: 'toolResult', content: [] } },
      { type: 'compaction', id: '6', parentId: '5', summary: 's' },
    ];
    const [, ...entries] = parseLines(migrateText(JSON.stringify(array), {}, 'array').text);
    const [early, late] = ['2023-11-14T22:13:20.000Z', '2023-11-14T22:13:25.000Z'];
    expect(entries.map(({ timestamp }) => timestamp)).toEqual([
      early,
      early,
      late,
      late,
      late,
      late,
    ]);
    const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const messages = entries.map(({ message }) => message);
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'Yo' }],
      api: 'unknown',
      provider: 'unknown',
      model: 'unknown',
      usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } },
      stopReason: 'stop',
    });
    expect(messages[3]).toMatchObject({
      provider: 'p',
      stopReason: 'toolUse',
      usage: { ...none, ...usage, cost: { ...usage.cost, total: 0.75 } },
    });
    expect(messages[4]).toMatchObject({ toolName: 'unknown', isError: false });
    expect(entries[5]).toMatchObject({ tokensBefore: 0 });
  });

  it('keeps an element that is broken, on one line, and leaves out what is not an object', () => {
    const { text, problems } = migrateText(`[${HEADER}, {"a"\n:}, 3]`, {}, 'array');
    expect(text).toBe(lines(V3, '{"a" :}'));
    expect(problems.map(({ code }) => code)).toEqual(['line-malformed', 'line-not-object']);
  });
});

describe('other headers', () => {
  it('take a new cwd and parent, and nothing else, when only that is to change', () => {
    const text = lines(
      HEADER.replace('"cwd"', '"branchedFrom":"/old","cwd"'),
      '{"type":"message"}',
    );
    const changes = { cwd: '/q', parentSession: '/new' };
    expect(migrateText(text, { changes, upgrades: false }).text).toBe(
      text.replace('"/p"', '"/q"').replace('"/old"', '"/new"'),
    );
    expect(migrateText(text, { changes }).text).toContain('"parentSession":"/new","cwd":"/q"');
  });
});
