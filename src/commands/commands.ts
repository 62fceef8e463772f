import type { AnyCommand } from './command.ts';
import { exportCommand } from './export.ts';
import { list } from './list.ts';
import { validate } from './validate.ts';

/** Every subcommand, in the order of the help page. */
export const commands: readonly AnyCommand[] = [list, validate, exportCommand];
