import { describe, expect, it } from 'vitest';
import {
  releaseAfter,
  releaseAfterSync,
} from '../../../../src/session/jsonl/files/release-after.ts';

const fail = (message: string) => (): never => {
  throw new Error(message);
};

/** What was called, in order. */
function record() {
  const called: string[] = [];
  const note =
    (name: string, act: () => void = () => undefined) =>
    (): void => {
      called.push(name);
      act();
    };
  return { called, note };
}

describe('work that holds something', () => {
  it('gives its value once everything is released, in order', async () => {
    const { called, note } = record();
    const work = async (): Promise<string> => {
      note('work')();
      return 'value';
    };
    const late = async (): Promise<void> => {
      await Promise.resolve();
      note('one')();
    };
    expect(await releaseAfter(work, late, note('two'))).toBe('value');
    expect(called).toEqual(['work', 'one', 'two']);
    expect(releaseAfterSync(() => 'value', note('three'))).toBe('value');
    expect(called).toEqual(['work', 'one', 'two', 'three']);
  });

  it('releases everything when it fails, and tells why it did', async () => {
    const { called, note } = record();
    const releases = [note('one', fail('one')), note('two'), note('three', fail('three'))];
    await expect(
      releaseAfter(() => Promise.reject(new Error('work')), ...releases),
    ).rejects.toThrow('work');
    expect(() => releaseAfterSync(fail('work'), ...releases)).toThrow('work');
    expect(called).toEqual(['one', 'two', 'three', 'one', 'two', 'three']);
  });

  it('fails when only a release does: with the first that did', async () => {
    const releases = [() => undefined, fail('first'), fail('second')];
    await expect(releaseAfter(() => Promise.resolve(1), ...releases)).rejects.toThrow('first');
    expect(() => releaseAfterSync(() => 1, ...releases)).toThrow('first');
  });

  it('fails also when nothing is thrown but undefined', async () => {
    const seen = await releaseAfter(
      () => Promise.reject(undefined),
      () => undefined,
    ).then(
      () => 'a value',
      (error: unknown) => `failed with ${String(error)}`,
    );
    expect(seen).toBe('failed with undefined');
  });

  it('may have nothing to release, and no value', async () => {
    expect(await releaseAfter(() => Promise.resolve())).toBeUndefined();
    expect(releaseAfterSync(() => undefined)).toBeUndefined();
  });
});
