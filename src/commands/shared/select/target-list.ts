import { UsageError } from '../../../errors.ts';
import type { Context } from '../../command.ts';

interface TargetArgs {
  readonly targets: readonly string[];
  readonly null: boolean;
  /** Absent in commands that read no session from standard input. */
  readonly stdin?: boolean | undefined;
}

/** Makes the function that lists the targets, with those on standard input instead of `-`, which it reads once. */
export function createTargetList(
  args: TargetArgs,
  context: Pick<Context, 'terminal' | 'signal'>,
): () => Promise<readonly string[]> {
  let listed: Promise<readonly string[]> | undefined;
  return () => (listed ??= expandTargets(args, context));
}

async function expandTargets(
  { targets, null: isNul, stdin }: TargetArgs,
  { terminal, signal }: Pick<Context, 'terminal' | 'signal'>,
): Promise<readonly string[]> {
  if (!targets.includes('-')) return targets;
  const input = (await terminal.readInput(signal)).replace(/^\uFEFF/, '');
  if (/^\s*(?:\{\s*"|\[\s*\{)/.test(input)) {
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
