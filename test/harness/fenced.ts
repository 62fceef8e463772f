import { delimiter, resolve } from 'node:path';
import { fenceIn } from './fence.ts';

// Once in a process, which runs many files.
const isFenced = 'coppiceFence' in globalThis;
Object.assign(globalThis, { coppiceFence: true });
// Programs are the machine's.
const PATH = (process.env['PATH'] ?? '').split(delimiter);
const world = process.env['COPPICE_TEST_WORLD'] ?? '';
if (!isFenced) fenceIn([world, resolve(import.meta.dirname, '../..'), '/dev', '/proc', ...PATH]);
