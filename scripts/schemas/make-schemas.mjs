// @ts-check
// Writes schemas/ and docs/json.md: npm run schemas. With --check, writes nothing and says what is not as it should
// be, exit 1.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { makeClaudeCodeSchema } from './claude-code-session.mjs';
import { makeCodexSchema } from './codex-session.mjs';
import { makeConfigSchema } from './config.mjs';
import { makeNeovateSchema } from './neovate-session.mjs';
import { makeOutputSchemas } from './outputs.mjs';
import { makePage } from './page.mjs';
import { makePiSchemas } from './pi-session.mjs';

const DIRECTORY = fileURLToPath(new URL('../../schemas/', import.meta.url));
const schemas = {
  ...makeConfigSchema(),
  ...makePiSchemas(),
  ...makeNeovateSchema(),
  ...makeClaudeCodeSchema(),
  ...makeCodexSchema(),
  ...makeOutputSchemas(),
};

const PAGE = fileURLToPath(new URL('../../docs/json.md', import.meta.url));
const page = makePage(schemas);

if (process.argv.includes('--check')) check();
else write();

function write() {
  writeFileSync(PAGE, page);
  rmSync(DIRECTORY, { recursive: true, force: true });
  for (const [name, schema] of Object.entries(schemas)) {
    mkdirSync(dirname(DIRECTORY + name), { recursive: true });
    writeFileSync(DIRECTORY + name, `${JSON.stringify(schema, null, 2)}\n`);
  }
}

function check() {
  const files = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' });
  const there = new Set(files.filter((name) => name.endsWith('.json')));
  const names = new Set([...there, ...Object.keys(schemas)]);
  const stale = [...names].filter((name) => {
    if (!there.has(name)) return true;
    const written = JSON.parse(readFileSync(DIRECTORY + name, 'utf8'));
    return !isDeepStrictEqual(written, JSON.parse(JSON.stringify(schemas[name] ?? null)));
  });
  if (readFileSync(PAGE, 'utf8') !== page) stale.push('docs/json.md');
  if (stale.length === 0) return;
  process.stderr.write(`run npm run schemas: ${stale.join(', ')}\n`);
  process.exitCode = 1;
}
