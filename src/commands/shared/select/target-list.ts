import { UsageError } from '../../../errors.ts';
import { expandHome } from '../../../session/model/paths.ts';
import type { Context } from '../../command.ts';

interface TargetArgs {
  readonly targets: readonly string[];
  readonly null: boolean;
  /** Absent in commands that read no session from standard input. */
  readonly stdin?: boolean | undefined;
}

/**
 * Makes the function that lists the targets, with those on standard input instead of `-`, which it reads once. A
 * leading `~/` is the home directory: no shell expands it in a quoted glob or in a list, and reports write paths so.
 */
export function createTargetList(
  args: TargetArgs,
  context: Pick<Context, 'terminal' | 'signal' | 'home'>,
): () => Promise<readonly string[]> {
  let listed: Promise<readonly string[]> | undefined;
  return () => (listed ??= expandTargets(args, context));
}

async function expandTargets(
  { targets, null: isNul, stdin }: TargetArgs,
  { terminal, signal, home }: Pick<Context, 'terminal' | 'signal' | 'home'>,
): Promise<readonly string[]> {
  const expand = (target: string): string => expandHome(target, home);
  if (!targets.includes('-')) return targets.map(expand);
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
  // A list with NUL is made by a program, which writes names as they are.
  const listed = isNul ? lines : lines.map(expand);
  const expanded = targets.flatMap((target) => (target === '-' ? listed : [expand(target)]));
  if (expanded.length === 0)
    throw new UsageError('-: standard input is empty; expected targets, one per line');
  return expanded;
}
