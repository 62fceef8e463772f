import type { AnyCommand } from './command.ts';
import { compact } from './compact.ts';
import { fork } from './fork.ts';
import { exportCommand } from './export.ts';
import { list } from './list.ts';
import { migrate } from './migrate.ts';
import { prune } from './prune.ts';
import { validate } from './validate.ts';

/** Every subcommand, in the order of the help page. */
export const commands: readonly AnyCommand[] = [
  list,
  validate,
  migrate,
  fork,
  compact,
  prune,
  exportCommand,
];
