import { resolve } from 'node:path';
import type { AnyCommand, Context } from '../commands/command.ts';
import type { Values } from './check-options.ts';

/**
 * Checks that nothing is written where it would be removed with a session, or where a file is in the place of a
 * directory, by the `writesUnless` of the table.
 * @throws UsageError
 */
export async function checkPlaces(
  values: Values,
  { options }: AnyCommand,
  { cwd }: Pick<Context, 'cwd'>,
): Promise<void> {
  for (const [name, { writesUnless, isDirectory }] of Object.entries(options)) {
    const place = values[name];
    if (!writesUnless || typeof place !== 'string' || place === '-') continue;
    if (writesUnless.some((other) => values[other] !== undefined && values[other] !== false))
      continue;
    const { refuseFile, refuseSessionFolder } =
      await import('../store/sessions/refuse-session-folder.ts');
    const [path, label] = [resolve(cwd, place), `--${name} ${place}`];
    if (isDirectory) refuseFile(path, label);
    await refuseSessionFolder(path, label);
  }
}
