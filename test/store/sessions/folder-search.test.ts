import { expect, it } from 'vitest';
import { FolderSearch } from '../../../src/store/sessions/sidecars/folder-search.ts';

const ID = 'aaaaaaaa-1111-4111-8111-111111111111';
const IMAGE = `${'0a'.repeat(32)}.png`;

const search = new FolderSearch([
  ['made', [{ name: ID, inside: new Set(['tool-results', IMAGE]) }]],
  ['named', [{ name: 'work', inside: new Set(['a.png']) }]],
  ['accented', [{ name: 'né à ü', inside: new Set(['b.png']) }]],
  ['short', [{ name: 'é', inside: new Set(['c.png']) }]],
]);

async function find(
  text: string | Buffer,
  size = text.length,
  folders = search,
): Promise<readonly string[]> {
  const bytes = Buffer.from(text);
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  return [...(await folders.search(chunks()))];
}

it.each([
  ['an absolute path', `{"text":"saved to: /h/.claude/projects/-w/${ID}/tool-results/x.txt"}`],
  ['the place of an image', `{"text":"[image taken out by coppice: ${ID}/${IMAGE}, image/png]"}`],
  ['a path of Windows', JSON.stringify({ text: `C:\\p\\${ID}\\tool-results\\x.txt` })],
  ['JSON in JSON', JSON.stringify({ text: JSON.stringify({ text: `C:\\p\\${ID}\\${IMAGE}` }) })],
  ['slashes as escapes', `{"text":"${ID}\\/tool-results\\/x.txt"}`],
  ['letters as escapes', `{"text":"\\u0061${ID.slice(1)}\\u002ftool\\u002Dresults"}`],
])('finds a folder by %s', async (_name, text) => {
  expect(await find(text)).toEqual(['made']);
});

it('finds it wherever the pieces of a text end', async () => {
  const text = `{"text":"/p/${ID}/tool-results/x, work/a.png"}`;
  for (let size = 1; size < text.length; size += 7) {
    expect(await find(text, size)).toEqual(['made', 'named']);
  }
});

it('finds folders with names of every kind', async () => {
  expect(await find('{"text":"né à ü/b.png"}')).toEqual(['accented']);
  expect(await find(String.raw`{"text":"n\u00e9 \u00e0 \u00fc/b.png"}`)).toEqual(['accented']);
  const inJson = String.raw`{\"path\":\"n\\u00e9 \\u00e0 \\u00FC/b.png\"}`;
  expect(await find(`{"text":"${inJson}"}`)).toEqual(['accented']);
  expect(await find(JSON.stringify({ text: `{"text":"${inJson}"}` }))).toEqual(['accented']);
  expect(await find('{"text":"é/c.png"}')).toEqual(['short']);
});

it('finds folders and files in every normal form of their names', async () => {
  for (const form of ['NFC', 'NFD']) {
    const inside = new Set(['ü.png'.normalize(form)]);
    const one = new FolderSearch([['own', [{ name: 'né'.normalize(form), inside }]]]);
    for (const written of ['NFC', 'NFD']) {
      const text = '{"text":"/p/né/ü.png"}'.normalize(written);
      expect(await find(text, text.length, one)).toEqual(['own']);
    }
  }
});

it('reads beside escapes of JSON what other languages have like them', async () => {
  const text = String.raw`{"text":"\u001b[0m \\U0001F600 \\uD83D \\\u12 \\u{1F600} né à ü/b.png"}`;
  expect(await find(text)).toEqual(['accented']);
});

it.each(['a "b"', 'a\\b', 'a\nb', '"', '\\', 'a\u0001'])(
  'finds what is called %j, as JSON has it',
  async (name) => {
    const text = `see /p/${name}/${name}.png`;
    const odd = new FolderSearch([['odd', [{ name, inside: new Set([`${name}.png`]) }]]]);
    async function* read(written: string): AsyncGenerator<Buffer> {
      yield Buffer.from(written);
    }
    const once = JSON.stringify({ text });
    for (const written of [text, once, JSON.stringify({ text: once })]) {
      expect([...(await odd.search(read(written)))]).toEqual(['odd']);
    }
  },
);

const POINTER = 'read the full transcript at: ';
const pointed = new FolderSearch([
  ['planned', [{ name: `${ID}.jsonl`, after: POINTER }]],
  ['copied', [{ name: `${ID}.jsonl`, after: POINTER }]],
  ['odd', [{ name: 'ü x.jsonl', after: POINTER }]],
]);

async function findPointed(text: string, own?: string, size = 7): Promise<readonly string[]> {
  const bytes = Buffer.from(text);
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  return [...(await pointed.search(chunks(), own))];
}

it.each(['\n\nGo on.', '', '"'])(
  'finds the file of a session after the words of its agent, and before %j',
  async (end) => {
    const toText = (path: string): string =>
      JSON.stringify({ text: `If you need more, ${POINTER}${path}${end}` });
    const unix = toText(`/h/.claude/projects/-w/${ID}.jsonl`);
    expect(await findPointed(unix)).toEqual(['planned', 'copied']);
    expect(await findPointed(JSON.stringify({ unix }))).toEqual(['planned', 'copied']);
    expect(await findPointed(toText(`C:\\u\\new\\${ID}.jsonl`))).toEqual(['planned', 'copied']);
    for (const form of ['NFC', 'NFD']) {
      expect(await findPointed(toText('/h/ü x.jsonl'.normalize(form)))).toEqual(['odd']);
    }
    expect(await findPointed(unix, `${ID}.jsonl`)).toEqual([]);
  },
);

it('finds no session by a path without these words', async () => {
  expect(await findPointed(`{"text":"ls /h/.claude/projects/-w/${ID}.jsonl"}`)).toEqual([]);
  expect(await findPointed(`{"text":"${POINTER}/x/b.jsonl, not ${ID}.jsonl"}`)).toEqual([]);
});

it.each([
  ['the id', `{"forkedFrom":"${ID}","text":"/${ID}.jsonl"}`],
  ['the folder', `{"text":"ls /p/${ID}/ and work/"}`],
  ['another file by its name', `{"text":"work/b.png, src/work/index.ts"}`],
])('finds nothing by %s alone', async (_name, text) => {
  expect(await find(text)).toEqual([]);
});
