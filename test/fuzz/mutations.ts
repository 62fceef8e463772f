import fc from 'fast-check';
import { anyCharacter } from '../harness/any-character.ts';

/** One change to the bytes of a session. Places are shares of the length, so that they always fit. */
export type Mutation =
  | { readonly kind: 'flip'; readonly at: number; readonly byte: number }
  | { readonly kind: 'insert'; readonly at: number; readonly text: string }
  | { readonly kind: 'delete'; readonly at: number; readonly length: number }
  | { readonly kind: 'copy'; readonly at: number; readonly length: number; readonly to: number }
  | { readonly kind: 'truncate'; readonly at: number }
  | { readonly kind: 'swap-lines'; readonly at: number; readonly to: number }
  | { readonly kind: 'replace-value'; readonly at: number; readonly text: string }
  | { readonly kind: 'cross'; readonly at: number; readonly other: number };

/** What has a meaning to one of the formats, or to a parser of JSON, a terminal or a file system. */
const WORDS = [
  ['\n', '\r', '\0', '\u2028', '\ufeff', '\u001b[2J', '\u202e', '"', '\\', '{', '}', '[', ']'],
  ['"id":"aaaaaaaa",', '"parentId":"aaaaaaaa",', '"parentId":null,', '"version":4,', '"v":4,'],
  ['"__proto__":{"x":1},', '"constructor":null,', '"toString":1,', '\\ud800', '1e400', '-0'],
  ['"type":"compaction",', '"type":"label",', '"type":"session",', '"type":"context_edit",'],
  ['"firstKeptEntryId":"aaaaaaaa",', '"firstKeptEntryIndex":-1,', '"targetId":7,'],
  ['"role":"toolResult",', '"role":"user",', '"message":null,', '"content":null,'],
  ['"content":[null,1,"x",[]],', '"timestamp":1e300,', '"timestamp":"+275760-09-14",'],
  ['"usage":{"input":-1,"cost":"x"},', '"cwd":"../../etc",', '"cwd":"",', '"id":"../x",'],
  ['"uuid":"aaaaaaaa",', '"parentUuid":"aaaaaaaa",', '"type":"config",', '"role":"assistant",'],
  ['"text":{"a":1},', '"name":"\\u001b]0;x\\u0007",', '"data":"AAAA",', '"sessionId":null,'],
  ['['.repeat(300), 'x'.repeat(5000), '{"type":"session","id":"x"}\n'],
  [`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`],
].flat();
const VALUES = ['null', 'true', '-1', '1e999', '""', '[]', '{}', '"\\ud83d"', '123456789012345678'];

const share = fc.double({ min: 0, max: 1, noNaN: true });
const length = fc.oneof(fc.nat(8), fc.nat(400));

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant('flip'), at: share, byte: fc.nat(255) }),
  fc.record({ kind: fc.constant('insert'), at: share, text: fc.constantFrom(...WORDS) }),
  fc.record({ kind: fc.constant('insert'), at: share, text: fc.string({ unit: anyCharacter }) }),
  fc.record({ kind: fc.constant('delete'), at: share, length }),
  fc.record({ kind: fc.constant('copy'), at: share, length, to: share }),
  fc.record({ kind: fc.constant('truncate'), at: share }),
  fc.record({ kind: fc.constant('swap-lines'), at: share, to: share }),
  fc.record({ kind: fc.constant('replace-value'), at: share, text: fc.constantFrom(...VALUES) }),
  fc.record({ kind: fc.constant('cross'), at: share, other: fc.nat() }),
);

export const mutations = fc.array(mutation, { minLength: 1, maxLength: 6 });

/** A session changed by each mutation in turn. `others` are those that one may be crossed with. */
export function mutate(
  seed: Buffer,
  changes: readonly Mutation[],
  others: readonly Buffer[],
): Buffer {
  return changes.reduce((bytes, change) => apply(bytes, change, others), seed);
}

function apply(bytes: Buffer, change: Mutation, others: readonly Buffer[]): Buffer {
  const at = Math.floor(change.at * bytes.length);
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (change.kind) {
    case 'flip':
      return Buffer.concat([head, Buffer.of(change.byte), tail.subarray(1)]);
    case 'insert':
      return Buffer.concat([head, Buffer.from(change.text), tail]);
    case 'delete':
      return Buffer.concat([head, tail.subarray(change.length)]);
    case 'copy': {
      const to = Math.floor(change.to * bytes.length);
      const part = tail.subarray(0, change.length);
      return Buffer.concat([bytes.subarray(0, to), part, bytes.subarray(to)]);
    }
    case 'truncate':
      return head;
    case 'swap-lines':
      return swapLines(bytes, change.at, change.to);
    case 'replace-value':
      return replaceValue(bytes, at, change.text);
    case 'cross': {
      const other = others[change.other % Math.max(1, others.length)] ?? Buffer.alloc(0);
      return Buffer.concat([head, other.subarray(Math.floor(change.at * other.length))]);
    }
  }
}

function swapLines(bytes: Buffer, at: number, to: number): Buffer {
  const lines = bytes.toString('latin1').split('\n');
  const [one, two] = [at, to].map((where) =>
    Math.min(lines.length - 1, Math.floor(where * lines.length)),
  );
  const [a = '', b = ''] = [lines[one ?? 0], lines[two ?? 0]];
  const swapped = lines.map((line, index) => (index === one ? b : index === two ? a : line));
  return Buffer.from(swapped.join('\n'), 'latin1');
}

/** Another value behind the next colon. */
function replaceValue(bytes: Buffer, at: number, text: string): Buffer {
  const rest = bytes.toString('latin1', at);
  const changed = rest.replace(/":("[^"\\\n]*"|[^,}\]\n"]+)/, () => `":${text}`);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(changed, 'latin1')]);
}
