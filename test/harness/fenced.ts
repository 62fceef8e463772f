import { realpathSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fenceIn } from './fence.ts';

// Once in a process, which runs many files.
const isFenced = 'coppiceFence' in globalThis;
Object.assign(globalThis, { coppiceFence: true });
const repository = resolve(import.meta.dirname, '../..');
// They may be in another place, and be linked.
const packages = realpathSync(join(repository, 'node_modules'));
// Programs are the machine's.
const PATH = (process.env['PATH'] ?? '').split(delimiter);
const world = process.env['COPPICE_TEST_WORLD'] ?? '';
if (!isFenced) fenceIn([world, repository, packages, '/dev', '/proc', ...PATH]);
