import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { summarizeSession } from '../../../src/session/read/summaries/summarize-session.ts';
import { readSession } from '../../../src/session/read/read-session.ts';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { compile, readSchema } from '../../schemas/schema.ts';

/** Made with the session manager of oh-my-pi 18.3.4, by `test/conformance/oh-my-pi/make-home.mjs`. */
const DIRECTORY = join(import.meta.dirname, '../../fixtures/oh-my-pi');
const files = readdirSync(DIRECTORY);

describe('a session that oh-my-pi wrote', () => {
  it.each(files)('%s has no findings', async (name) => {
    const validation = await validateSession(join(DIRECTORY, name), { levels: new Map() });
    expect(validation?.findings).toEqual([]);
  });

  it.each(files)('%s has no line that the schema refuses', (name) => {
    const schema = compile(readSchema('session/pi-v3'));
    const lines = readFileSync(join(DIRECTORY, name), 'utf8').trimEnd().split('\n');
    expect(lines.filter((line) => !schema(JSON.parse(line)))).toEqual([]);
  });

  it('names its model by one text', async () => {
    const { session } = await readSession(join(DIRECTORY, 'named.jsonl'));
    const change = session.entries.find(({ type }) => type === 'model_change');
    expect(change?.model).toEqual({ provider: 'anthropic', modelId: 'claude-sonnet-4-5' });
  });

  it('counts what requests aside cost', async () => {
    const summary = await summarizeSession(join(DIRECTORY, 'modes.jsonl'), { usage: true });
    expect(summary).toMatchObject({ usage: { input: 3 * 120, output: 3 * 30 } });
  });
});

it('may name its parent by an id, which can be of a session in any store', async () => {
  const path = join(await makeTempDir(), 'fork.jsonl');
  const text = readFileSync(join(DIRECTORY, 'named.jsonl'), 'utf8');
  const parentSession = '01a22da1-b07b-779e-a711-87843faec2e2';
  writeFileSync(
    path,
    text.replace('"version":3', `"version":3,"parentSession":"${parentSession}"`),
  );
  expect((await validateSession(path, { levels: new Map() }))?.findings).toEqual([]);
});
