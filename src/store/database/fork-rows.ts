import type { Variables } from '../../session/dialect/surroundings/world.ts';
import type { ForkOptions } from '../../session/fork/fork-session.ts';
import { addRows, checkRows } from './add-rows.ts';
import { findRows } from './find-rows.ts';

/** Makes the functions by which a fork gets rows in the databases of its agent. */
export function createForkRows(
  env: Variables,
): Required<Pick<ForkOptions, 'addRows' | 'checkRows' | 'findRows'>> {
  return {
    addRows: (agent, path, rows, finish) => addRows(agent, path, rows, env, finish),
    checkRows: (agent, path, rows) => checkRows(agent, path, rows, env),
    findRows: (agent, path, id) => findRows(agent, path, id, env),
  };
}
