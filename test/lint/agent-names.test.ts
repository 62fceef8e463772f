import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { agents } from '../../src/session/model/agent.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
/** What an agent is called is said in the type of which all are, and where its dialect is found by it. */
const NAMES: ReadonlySet<string> = new Set([
  join('session', 'model', 'agent.ts'),
  join('session', 'agents', 'index.ts'),
]);

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => {
  const isDialect = agents.some((agent) => file.startsWith(join('session', 'agents', agent) + sep));
  return file.endsWith('.ts') && !isDialect && !NAMES.has(file);
});

describe('the name of an agent', () => {
  it.each(agents)('%s stands nowhere in the code but in its dialect', (agent) => {
    const name = new RegExp(`['"\`]${agent}['"\`]`);
    const naming = files.filter((file) => name.test(readFileSync(join(SRC, file), 'utf8')));
    expect(naming).toEqual([]);
    expect(files.length).toBeGreaterThan(200);
  });
});
