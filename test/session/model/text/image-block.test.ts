import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../harness/runs.ts';
import { NOTHING_FLUSHED } from '../../../../src/session/jsonl/files/flush.ts';
import {
  dropImage,
  extractImage,
  type ImageFiles,
  restoreImage,
} from '../../../../src/session/model/text/image-block.ts';

function createFiles(folder = 's.images'): ImageFiles & { readonly kept: Map<string, Buffer> } {
  const kept = new Map<string, Buffer>();
  return {
    kept,
    folder,
    put: (name, bytes) => kept.set(`${folder}/${name}`, Buffer.from(bytes)),
    get: (from, name) => kept.get(`${from}/${name}`),
    ownsFolder: () => true,
    flush: () => Promise.resolve(NOTHING_FLUSHED),
    discard: () => undefined,
  };
}

const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((array) => Buffer.from(array));

describe('extractImage', () => {
  it('is undone by restoreImage, byte for byte, in any order of keys', () => {
    const mimeTypes = fc.constantFrom('image/png', 'image/jpeg', 'image/x-odd');
    const block = fc.tuple(bytes, mimeTypes, fc.nat(2), fc.constantFrom('', ' ', '\t'));
    fc.assert(
      fc.property(block, ([image, mimeType, turn, space]) => {
        const members = [
          `"type":${space}"image"`,
          `${space}"data"${space}: "${image.toString('base64')}"`,
          `"mimeType":"${mimeType}"${space}`,
        ];
        const turned = [...members.slice(turn), ...members.slice(0, turn)];
        const original = Buffer.from(`{${turned.join(',')},"extra":1.0}`);
        const files = createFiles();
        const text = extractImage(original, files);
        expect(JSON.parse(String(text))).toMatchObject({ type: 'text', extra: 1 });
        expect([...files.kept.values()]).toEqual([image]);
        expect(restoreImage(text ?? original, files)).toEqual(original);
      }),
    );
  });

  it('keeps the same image once', () => {
    const files = createFiles();
    const block = Buffer.from('{"type":"image","data":"AAAA","mimeType":"image/png"}');
    extractImage(block, files);
    extractImage(block, files);
    expect(files.kept.size).toBe(1);
  });

  it.each([
    [
      'of which the bytes would not come back',
      '{"type":"image","data":"AA","mimeType":"image/png"}',
    ],
    ['without data', '{"type":"image","mimeType":"image/png"}'],
    ['without a type of image', '{"type":"image","data":"AAAA"}'],
    ['with a key written oddly', '{"type":"image","d\\u0061ta":"AAAA","mimeType":"image/png"}'],
    ['with a key twice', '{"type":"image","data":"AAAA","data":"AAAA","mimeType":"image/png"}'],
    ['with a text, too', '{"type":"image","data":"AAAA","mimeType":"image/png","text":"x"}'],
    ['that is none', '{"type":"text","text":"\\"image\\""}'],
    ['with data that are no text', '{"type":"image","data":1234,"mimeType":"image/png"}'],
    ['in lines', '{"type":"image","data":"AA\\nAA","mimeType":"image/png"}'],
    ...['x"y', 'x\\y', 'x\u0001y', 'x\ud800y'].map((type) => [
      `with the type ${JSON.stringify(type)}, which no text can name as it is`,
      JSON.stringify({ type: 'image', data: 'AAAA', mimeType: type }),
    ]),
    ...[4000, 5000].map((length) => [
      `with a type of ${length} characters, by which it would not be known again`,
      `{"type":"image","data":"AAAA","mimeType":"image/${'x'.repeat(length)}"}`,
    ]),
  ])('leaves an image alone %s', (_, block) => {
    expect(extractImage(Buffer.from(block), createFiles())).toBeUndefined();
  });
});

describe('restoreImage', () => {
  const block = Buffer.from('{"type":"image","data":"AAAA","mimeType":"image/png"}');
  const extracted = (files: ImageFiles): Buffer => extractImage(block, files) ?? block;

  it('restores from the folder of another session, after a fork', () => {
    const parent = createFiles('parent.images');
    const text = extracted(parent);
    const fork: ImageFiles = { ...parent, folder: 'fork.images' };
    expect(restoreImage(text, fork)).toEqual(block);
  });

  it('leaves the placeholder when the file is gone', () => {
    expect(restoreImage(extracted(createFiles()), createFiles())).toBeUndefined();
  });

  it('leaves the placeholder when the file holds something else', () => {
    const files = createFiles();
    const text = extracted(files);
    const lying: ImageFiles = { ...files, get: () => Buffer.from('no') };
    expect(restoreImage(text, lying)).toBeUndefined();
  });

  it.each(['..', '.', 'a/b', ''])('never reads in the folder %j', (folder) => {
    const name = 'a'.repeat(64);
    const text = `[image taken out by coppice: ${folder}/${name}.png, image/png, 3 bytes]`;
    const files: ImageFiles = {
      ...createFiles(),
      get: () => {
        throw new Error('read');
      },
    };
    const hostile = JSON.stringify({ type: 'text', text, mimeType: 'image/png' });
    expect(restoreImage(Buffer.from(hostile), files)).toBeUndefined();
  });
});

describe('dropImage', () => {
  it('leaves a text block that says what was there', () => {
    const dropped = dropImage(Buffer.from('{"type":"image","data":"AAAA","mimeType":"image/png"}'));
    expect(JSON.parse(String(dropped))).toEqual({
      type: 'text',
      text: '[image left out by coppice: image/png, 3 bytes]',
      mimeType: 'image/png',
    });
  });

  it('counts the bytes of an image in lines', () => {
    const block = '{"type":"image","data":"AAAA\\r\\nAAAA\\n","mimeType":"image/png"}';
    expect(String(dropImage(Buffer.from(block)))).toContain('image/png, 6 bytes]');
  });
});

describe('dropImage', () => {
  const PIECE = 128 * 1024;

  it('names the bytes of a long image, whatever stands in its base64', () => {
    const odd = fc.constantFrom('', '=', '==', '\\n', '\\u0041', ' ', '-_', '!', 'é');
    const places = fc.array(fc.tuple(fc.nat(3 * PIECE), odd), { maxLength: 3 });
    const length = fc.integer({ min: 0, max: 3 * PIECE });
    fc.assert(
      fc.property(length, places, (count, oddities) => {
        let data = 'iVBORw0K'.repeat(count / 8 + 1).slice(0, count);
        // From the back: none is put within another.
        for (const [at, text] of oddities.toSorted(([one], [other]) => other - one))
          data = data.slice(0, at) + text + data.slice(at);
        const block = `{"type":"image","data":"${data}","mimeType":"image/png"}`;
        const { length: bytesLeft } = Buffer.from(String(JSON.parse(`"${data}"`)), 'base64');
        expect(String(dropImage(Buffer.from(block)))).toContain(`image/png, ${bytesLeft} bytes]`);
      }),
      { numRuns: runs(60) },
    );
  });
});
