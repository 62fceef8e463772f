import { resolve } from 'node:path';
import type { AnyCommand, Context } from '../commands/command.ts';
import type { Values } from './check-options.ts';

/**
 * Checks that nothing is written where it would be removed with a session, by the `writesUnless` of the table.
 * @throws UsageError
 */
export async function checkPlaces(
  values: Values,
  { options }: AnyCommand,
  { cwd }: Pick<Context, 'cwd'>,
): Promise<void> {
  for (const [name, { writesUnless }] of Object.entries(options)) {
    const place = values[name];
    if (!writesUnless || typeof place !== 'string' || place === '-') continue;
    if (writesUnless.some((other) => values[other] !== undefined && values[other] !== false))
      continue;
    const { refuseSessionFolder } = await import('../store/sessions/refuse-session-folder.ts');
    await refuseSessionFolder(resolve(cwd, place), `--${name} ${place}`);
  }
}
