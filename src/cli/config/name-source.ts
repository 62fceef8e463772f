import { UsageError } from '../../errors.ts';
import type { ConfigLayer } from './config.ts';

const OPTION = /^--([a-z][a-z-]*)/;

/**
 * Names the configuration file in an error about an option that only this file sets: the user did not write it on
 * the command line. Returns any other error as it is.
 */
export function nameSource(
  error: unknown,
  layers: readonly ConfigLayer[],
  given: ReadonlySet<string>,
): unknown {
  if (!(error instanceof UsageError)) return error;
  const [, option] = OPTION.exec(error.message) ?? [];
  if (option === undefined || given.has(option)) return error;
  const layer = layers.findLast(({ values }) => Object.hasOwn(values, option));
  if (!layer) return error;
  const { message, details } = error;
  return new UsageError(`${layer.path}: ${message}`, { cause: error, details });
}
