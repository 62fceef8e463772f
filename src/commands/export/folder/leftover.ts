import { join } from 'node:path';
import { toPlainLine } from '../../../report/text/escape.ts';
import { formatCounted } from '../../../report/text/numbers.ts';
import { formatPath } from '../../../report/text/paths.ts';
import type { ExportFolder } from '../../../store/output/export-folder.ts';
import { isGone } from '../../../store/files/stat-file.ts';
import type { Context } from '../../command.ts';

const MOST_NAMED = 3;

/**
 * Warns of recorded files in a folder that were made without this redaction, such as those of sessions that are gone,
 * or in another format. `--quiet` does not silence it: a folder is shared with all that is in it.
 */
export async function reportUnredacted(
  folder: ExportFolder,
  redaction: string,
  { terminal, home }: Pick<Context, 'terminal' | 'home'>,
): Promise<void> {
  if (redaction === '') return;
  const { directory } = folder.output;
  const others = folder.list('').filter(([, record]) => record.redaction !== redaction);
  const names = others
    .flatMap(([, { files }]) => files.map(({ name }) => name))
    .filter((name) => !isGone(join(directory, name)));
  if (names.length === 0) return;
  const more = names.length - MOST_NAMED;
  const shown = [
    ...names.slice(0, MOST_NAMED).map((name) => toPlainLine(name, 4096)),
    ...(more > 0 ? [`${more} more`] : []),
  ];
  const are = names.length === 1 ? 'is' : 'are';
  await terminal.err.write(
    `coppice: ${formatPath(directory, home)}: ${formatCounted(names.length, 'file')} of earlier exports ${are} ` +
      `still there, made without this redaction; remove before you share: ${shown.join(', ')}\n`,
  );
}
