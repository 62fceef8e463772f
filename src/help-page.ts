import { readFileSync } from 'node:fs';

/** The widest that help pages are laid out, in columns. */
export const HELP_WIDTH = 100;

/**
 * The page that a command line asks for and nothing else, as the build laid it out in full width.
 * Undefined where there is none: for other words, narrow terminals, and code that is not built.
 */
export function readHelpPage(
  argv: readonly string[],
  columns: number | undefined,
): string | undefined {
  const words = /^(?:(\w+)\0)?(?:--help|-h)(\0--all)?$/.exec(argv.join('\0'));
  if (!words || (columns ?? HELP_WIDTH) < HELP_WIDTH) return undefined;
  const [, command = 'coppice', all = ''] = words;
  const page = new URL(`help/${command}${all && '.all'}.txt`, import.meta.url);
  try {
    return readFileSync(page, 'utf8');
  } catch {
    // Whatever the reason, yargs lays it out then.
    return undefined;
  }
}
