import { basename, dirname } from 'node:path';
import { toHeaderPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quotePath } from '../../../rules/wording.ts';
import { isInProjectDirectory, toProjectDirectoryName } from '../places/session-place.ts';

/** A session in the directory of another project. */
export const placeDirectory: Rule = {
  id: 'place-directory',
  level: 'warning',
  fixable: false,
  isAboutPath: true,
  summary: "a session in another directory than its project's",
  help:
    'pi looks for the sessions of a project in the directory that is named after it, so it offers ' +
    'this one in the wrong project. Either the project or the file was moved. If the project has ' +
    'moved, `coppice migrate --cwd <old>=<new>` corrects both; otherwise move the file.',
  check: (report) => ({
    session({ session: { path, header } }) {
      if (!header?.cwd || !isInProjectDirectory(path)) return;
      if (basename(dirname(path)) === toProjectDirectoryName(header.cwd)) return;
      report(
        toHeaderPlace(header),
        `is not in the directory of its project, which is ${quotePath(header.cwd)}`,
      );
    },
  }),
};
