import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateSession } from '../../../src/session/validate/validate-session.ts';

const DIRECTORY = join(import.meta.dirname, '../../fixtures/recorded');
/** What pi itself writes wrongly, with the one error that says so. */
const KNOWN_DEFECTS: Readonly<Record<string, readonly string[]>> = {
  '0.87.1-forked-v1-under-v3-header.jsonl': ['version-contradicted'],
  '0.87.1-forked-v2-under-v3-header.jsonl': ['version-contradicted'],
};
const files = readdirSync(DIRECTORY).filter((name) => name.endsWith('.jsonl'));

describe('a session that a release of pi wrote', () => {
  it.each(files)('%s has no errors but those that are known', async (name) => {
    const validation = await validateSession(join(DIRECTORY, name), { levels: new Map() });
    const errors = validation?.findings.filter(({ level }) => level === 'error') ?? [];
    expect(errors.map(({ rule }) => rule)).toEqual(KNOWN_DEFECTS[name] ?? []);
  });
});
