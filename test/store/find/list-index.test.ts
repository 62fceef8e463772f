import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type FileState, readFileState } from '../../../src/store/files/file-state.ts';
import { ListIndex, type RecordCodec } from '../../../src/store/find/list-index.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const codec: RecordCodec<{ readonly title: unknown }> = {
  toRecord: ({ title }) => [title],
  fromRecord: ([title]) => ({ title }),
};

it('keeps what another run has stored in the meantime', async () => {
  const directory = await makeTempDir();
  await writeFiles(directory, { 'p/ash.jsonl': '', 'p/birch.jsonl': '', 'q/oak.jsonl': '' });
  const look = (name: string): [string, FileState] => {
    const path = join(directory, name);
    return [path, readFileState(path) ?? [0, 0, 0, 0, 0]];
  };
  const open = (): ListIndex<{ readonly title: unknown }> =>
    new ListIndex(directory, 'sessions.ndjson', codec);
  const [one, other] = [open(), open()];
  other.set(...look('p/ash.jsonl'), { title: 'Ash' });
  other.set(...look('q/oak.jsonl'), { title: 'Oak' });
  await other.save();
  one.set(...look('p/birch.jsonl'), { title: 'Birch' });
  await one.save();
  const names = ['p/ash.jsonl', 'p/birch.jsonl', 'q/oak.jsonl'];
  expect(names.map((name) => open().get(...look(name))?.title)).toEqual(['Ash', 'Birch', 'Oak']);
});
