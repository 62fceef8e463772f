import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../../errors.ts';
import { isGone, statFile } from '../../store/files/stat-file.ts';
import type { Hooks } from '../../session/dialect/hooks/hooks.ts';
import { BY_USER, type Context, type OptionSpecs } from '../command.ts';

/** The hooks that `compact` calls, and the one that `fork` calls. */
export const COMPACT_HOOKS = ['beforeCompaction', 'afterCompaction'] as const;
export const FORK_HOOKS = ['beforeBranchSummary'] as const;
const NAMES = [...COMPACT_HOOKS, ...FORK_HOOKS];

/** A program of the person's own: never from a project's file, which may come from a stranger. */
export const hookOptions = {
  hook: {
    inConfig: BY_USER,
    isPath: true,
    type: 'string',
    value: '<file>',
    group: 'Hooks:',
  },
} as const satisfies OptionSpecs;

/** The reason of a run that changes nothing: a hook may ask a model, or write. */
export const HOOKS_LATER = 'hooks are called with --apply';

/**
 * Loads the hooks that a module exports, by name or as its default export.
 * @throws UsageError for a module that cannot be loaded, and one without hooks.
 */
export async function loadHooks(
  path: string | undefined,
  { cwd }: Pick<Context, 'cwd'>,
): Promise<Hooks> {
  if (path === undefined) return {};
  const exported = await load(path, cwd);
  const found = NAMES.flatMap((name) => {
    const hook = exported[name];
    if (hook === undefined) return [];
    if (typeof hook === 'function') return [[name, hook] as const];
    throw new UsageError(`--hook ${path}: ${name} is not a function`);
  });
  if (found.length > 0) return Object.fromEntries(found);
  throw new UsageError(`--hook ${path}: exports no hook; expected ${NAMES.join(', ')}`);
}

async function load(path: string, cwd: string): Promise<Readonly<Record<string, unknown>>> {
  const file = resolve(cwd, path);
  if (isGone(file)) throw new UsageError(`--hook ${path}: no such file`);
  if (statFile(file)?.isDirectory() === true)
    throw new UsageError(`--hook ${path}: is a directory`);
  try {
    const module: Record<string, unknown> = await import(pathToFileURL(file).href);
    // A CommonJS module, and an object of hooks, are the default export.
    const inner = module['default'];
    return typeof inner === 'object' && inner !== null ? { ...inner, ...module } : module;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [reason = ''] = message.split('\n');
    // Node does not say where in what it throws.
    const where = error instanceof SyntaxError ? '; node --check shows where' : '';
    throw new UsageError(`--hook ${path}: cannot be loaded: ${reason}${where}`, { cause: error });
  }
}
