import { basename, dirname } from 'node:path';
import { toHeaderPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { toProjectDirectoryName } from '../places/project-directory.ts';

const MAX_PATH = 200;

/** A session in the directory of another project. */
export const placeDirectory: Rule = {
  id: 'place-directory',
  level: 'warning',
  fixable: false,
  summary: "a session in another directory than its project's",
  help:
    "pi looks for a project's sessions in the directory named after it, so this one is offered in " +
    'the wrong project. The project was moved, or the file was. If the project has moved, ' +
    '`coppice migrate --cwd <old>=<new>` corrects both; else move the file.',
  check: (report) => ({
    session({ session: { path, header } }) {
      const directory = basename(dirname(path));
      if (!header?.cwd || !/^--.*--$/.test(directory)) return;
      if (directory === toProjectDirectoryName(header.cwd)) return;
      report(
        toHeaderPlace(header),
        `is not in the directory of its project, which is ${quote(header.cwd, MAX_PATH)}`,
      );
    },
  }),
};
