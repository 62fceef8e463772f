import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';

/**
 * Of the items that the model was sent, those of the session: what the client makes anew has an id that
 * is nowhere in it, but for answers to calls that nobody has answered.
 */
export function keepRecorded(
  input: readonly Readonly<Record<string, unknown>>[],
  session: string,
): readonly JsonObject[] {
  const kept = input.filter(
    ({ id, output }) => typeof id !== 'string' || output === 'aborted' || session.includes(id),
  );
  return kept.map((item) => {
    const { id, ...rest } = item as JsonObject;
    return rest['output'] === 'aborted' ? rest : ({ ...item } as JsonObject);
  });
}

/** All that a home has of threads, as one text. */
export function readStore(home: string): string {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  const rollouts = files.filter((file) => file.endsWith('.jsonl'));
  return rollouts.map((file) => readFileSync(join(home, file), 'utf8')).join('');
}
