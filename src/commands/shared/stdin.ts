import { basename, dirname, join, resolve } from 'node:path';
import { FileError, UsageError } from '../../errors.ts';
import { withReceivedFile } from '../../store/output/received-file.ts';
import type { Context } from '../command.ts';
import { selectionOptions } from './options.ts';
import type { SelectionRequest } from './requests.ts';

const UNNAMED = '<stdin>';

/** Runs a command on standard input, as a file of its own that is removed afterwards. */
export async function runOnInput<T>(
  values: Readonly<Record<string, unknown>>,
  targets: readonly string[],
  context: Context,
  run: (args: object) => Promise<T>,
): Promise<T> {
  const [target] = targets;
  if (target !== undefined) {
    throw new UsageError(`${target}: --stdin takes no targets; leave out one of the two`);
  }
  const given = values['stdin-filename'];
  const name = typeof given === 'string' ? resolve(context.cwd, given) : undefined;
  if (name !== undefined && basename(name) === '') {
    throw new UsageError(`--stdin-filename ${String(given)}: needs the name of a file`);
  }
  const chunks = context.terminal.openInput(context.signal);
  // Configuration selects among many sessions, and remembers listings; this is the one that is meant.
  const others = Object.entries(values).filter(([key]) => !Object.hasOwn(selectionOptions, key));
  return withReceivedFile(chunks, name, async (path) => {
    try {
      return await run({ ...Object.fromEntries(others), cache: false, targets: [path] });
    } catch (error) {
      if (!(error instanceof FileError) || error.path !== path) throw error;
      throw new FileError(name ?? UNNAMED, error.code, error.message, { cause: error });
    }
  });
}

/** A result about a file, which may name all files of its session, and that of its parent. */
interface Named {
  readonly path: string;
  readonly files?: readonly string[];
  readonly parentSessionPath?: string | null;
}

/** Makes the function that gives results the name of standard input instead of the path of its copy. */
export function createNaming({
  input,
}: Pick<SelectionRequest, 'input'>): <T extends Named>(one: T) => T {
  if (!input) return (one) => one;
  const { path, name = UNNAMED } = input;
  const toName = (file: string): string => (file === path ? name : file);
  // Some agents name a parent by its id alone: its file is beside that of the fork, and none is beside the copy.
  const toParent = (file: string): string => {
    if (dirname(file) !== dirname(path)) return file;
    return name === UNNAMED ? basename(file) : join(dirname(name), basename(file));
  };
  return (one) => ({
    ...one,
    path: toName(one.path),
    ...(one.files && { files: one.files.map(toName) }),
    ...(typeof one.parentSessionPath === 'string' && {
      parentSessionPath: toParent(one.parentSessionPath),
    }),
  });
}
