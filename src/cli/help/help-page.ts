import { readBuiltHelp } from '../../package.ts';

/** The widest that help pages are laid out, in columns. */
export const HELP_WIDTH = 100;

/** `coppice help list` and `coppice list help` ask for the page that `coppice list --help` prints. */
export function toHelpWords(argv: readonly string[]): readonly string[] {
  const [first, second] = argv;
  if (first === 'help') return [...argv.slice(1), '--help'];
  return argv.length === 2 && second === 'help' ? argv.with(1, '--help') : argv;
}

/**
 * The page that a command line asks for and nothing else, as the build laid it out in full width.
 * Undefined where there is none: for other words, narrow terminals, and code that is not built.
 */
export function readHelpPage(
  argv: readonly string[],
  columns: number | undefined,
): string | undefined {
  const words = /^(?:(\w+)\0)?(?:--help|-h)(\0--all)?$/.exec(toHelpWords(argv).join('\0'));
  if (!words || (columns ?? HELP_WIDTH) < HELP_WIDTH) return undefined;
  const [, command = 'coppice', all = ''] = words;
  return readBuiltHelp(`${command}${all && '.all'}`);
}
