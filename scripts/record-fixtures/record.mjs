/** Writes `test/fixtures/recorded/` anew, by the real releases. See the README there. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOver } from './determinism.mjs';
import * as v1 from './pi-0-30.mjs';
import * as v2 from './pi-0-32.mjs';
import * as firstV3 from './pi-0-40.mjs';
import * as oldName from './pi-0-73.mjs';
import * as current from './pi-0-87.mjs';

const TARGET = new URL('../../test/fixtures/recorded/', import.meta.url);
/** Stands in the fixtures for the temporary directory that they were recorded in. */
const SESSIONS_ROOT = '/home/dev/.pi/agent/sessions';
const PROJECT = '--home-dev-orchard--';

const root = mkdtempSync(join(tmpdir(), 'record-fixtures-'));
const dir = join(root, PROJECT);
mkdirSync(dir);
/** Fixture → the file that pi wrote, for recordings that start from another. */
const recorded = new Map();

for (const { release, recordings } of [v1, v2, firstV3, oldName, current]) {
  for (const [title, record] of Object.entries(recordings)) {
    const name = `${release}-${title}`;
    startOver(name);
    const path = record(dir, recorded);
    recorded.set(name, path);
    const text = readFileSync(path, 'utf8').replaceAll(root, SESSIONS_ROOT);
    writeFileSync(new URL(`${name}.jsonl`, TARGET), text);
  }
}
rmSync(root, { recursive: true });
