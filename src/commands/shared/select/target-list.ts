import { UsageError } from '../../../errors.ts';
import type { Context } from '../../command.ts';
import type { SelectionArgs } from '../requests.ts';

/** Makes the function that lists the targets, with those on standard input instead of `-`, which it reads once. */
export function createTargetList(
  args: Pick<SelectionArgs, 'targets' | 'null' | 'stdin'>,
  context: Pick<Context, 'terminal' | 'signal'>,
): () => Promise<readonly string[]> {
  let listed: Promise<readonly string[]> | undefined;
  return () => (listed ??= expandTargets(args, context));
}

async function expandTargets(
  { targets, null: isNul, stdin }: Pick<SelectionArgs, 'targets' | 'null' | 'stdin'>,
  { terminal, signal }: Pick<Context, 'terminal' | 'signal'>,
): Promise<readonly string[]> {
  if (!targets.includes('-')) return targets;
  const input = await terminal.readInput(signal);
  if (/^\uFEFF?\s*(?:\{\s*"|\[\s*\{)/.test(input)) {
    // Only some commands have the option.
    const remedy =
      stdin === undefined ? 'save it to a file and name the file' : 'read it with --stdin';
    throw new UsageError(`-: standard input holds a session, not a list of targets; ${remedy}`);
  }
  if (!isNul && input.includes('\0')) {
    throw new UsageError('-: standard input has NUL between targets; add --null');
  }
  const lines = input.split(isNul ? '\0' : /\r?\n/).filter((line) => line !== '');
  const expanded = targets.flatMap((target) => (target === '-' ? lines : [target]));
  if (expanded.length === 0)
    throw new UsageError('-: standard input is empty; expected targets, one per line');
  return expanded;
}
