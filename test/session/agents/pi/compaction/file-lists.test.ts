import { expect, it } from 'vitest';
import { collectFileOperations } from '../../../../../src/session/agents/pi/compaction/file-lists.ts';
import { toFileLists } from '../../../../../src/session/model/text/file-operations.ts';
import type { JsonValue } from '../../../../../src/session/jsonl/edit/json.ts';

function collectNested(calls: JsonValue) {
  const message = { role: 'toolResult', nestedCalls: { calls, complete: true } };
  return toFileLists(collectFileOperations([message], undefined));
}

it('names the files that a script of code mode read and wrote', () => {
  const calls = [
    { id: 'c/1', name: 'read', arguments: { path: 'a.ts' }, status: 'ok' },
    { id: 'c/2', name: 'edit', arguments: { path: 'b.ts' }, status: 'ok' },
    { id: 'c/3', name: 'write', argumentsBytes: 70_000, status: 'ok' },
  ];
  expect(collectNested(calls)).toEqual({ readFiles: ['a.ts'], modifiedFiles: ['b.ts'] });
});

it.each([null, 'read', [null, 7], {}])(
  'names none where a result says %j of its calls',
  (calls) => {
    expect(collectNested(calls)).toEqual({ readFiles: [], modifiedFiles: [] });
  },
);
