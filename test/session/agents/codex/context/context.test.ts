import { describe, expect, it } from 'vitest';
import { readContext } from '../../../../../src/session/read/read-context.ts';
import { placeRecorded, RECORDED } from '../corpus.ts';

const OPENED = RECORDED.flatMap((recorded) => {
  const { input } = recorded;
  return input === undefined ? [] : [{ ...recorded, input }];
});

/** What the real client makes anew has an id that is in no file; answers to open calls count. */
function withoutProbe(input: readonly Item[], text: string): readonly object[] {
  return input.flatMap(({ id, ...item }) => {
    if (typeof id !== 'string') return [item];
    if (item['output'] === 'aborted') return [item];
    return text.includes(id) ? [{ id, ...item }] : [];
  });
}

type Item = Readonly<Record<string, unknown>>;

describe('the context of a rollout', () => {
  it.each(OPENED.map((recorded) => [recorded.name, recorded] as const))(
    'is what the real client sends: %s',
    async (_, recorded) => {
      const { messages } = await readContext(await placeRecorded(recorded));
      expect(messages).toEqual(withoutProbe(recorded.input, JSON.stringify(messages)));
    },
  );
});
