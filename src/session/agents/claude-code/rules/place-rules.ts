import { basename, dirname } from 'node:path';
import type { Place, Rule } from '../../../dialect/rule.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { isOwnPath } from '../../../model/paths.ts';
import { quote, quotePath } from '../../../rules/wording.ts';
import { listResultTexts, toSessionId } from '../format.ts';
import { findConfig } from '../places/config.ts';
import { toFolderName } from '../places/default-stores.ts';
import { checkNodes, NODE } from './node-lines.ts';
import { formatCounted } from '../../../model/text/numbers.ts';
import { countPlace, type PlaceCounts, toUuidPlace } from '../../../rules/place.ts';

/** Lines of one session in the file of another. */
export const placeOtherSession: Rule = {
  id: 'place-other-session',
  level: 'warning',
  fixable: false,
  isAboutPath: true,
  summary: 'a file of Claude Code with another name than the session on its lines',
  help:
    'For Claude Code, the name of the file identifies the session, and the ids on its lines are ' +
    'for readers. They differ if the file was renamed or copied by hand. The session opens under ' +
    'the name of the file, and appended lines have that id; its sidecars keep the old id.',
  reads: { ...NODE, sessionId: 'whole' },
  check: createSessionIdCheck(
    (ids, own) => ids.length === 1 && ids[0] !== own,
    (id) => `the lines are of the session ${quote(id)}`,
  ),
};

/** Lines of several sessions in one file. */
export const sessionIdsMixed: Rule = {
  id: 'session-ids-mixed',
  level: 'warning',
  fixable: false,
  summary: 'lines of several sessions in one file of Claude Code',
  help:
    'Files were concatenated, or a file was renamed and then continued. Claude Code reads all ' +
    'lines as one session, whatever session they name. Nothing breaks, but programs that group ' +
    'lines by their `sessionId` see several sessions.',
  reads: { ...NODE, sessionId: 'whole' },
  check: createSessionIdCheck(
    (ids) => ids.length > 1,
    (id, count) => `${formatCounted(count, 'line')} from here on are of the session ${quote(id)}`,
  ),
};

function createSessionIdCheck(
  isReported: (ids: readonly string[], own: string) => boolean,
  describe: (id: string, count: number) => string,
): Rule['check'] {
  return (report) => {
    const ids: PlaceCounts = new Map();
    return {
      line: checkNodes((value, line) => {
        const id = getString(value, 'sessionId');
        if (id !== undefined) countPlace(ids, id, toUuidPlace(line, value));
      }),
      session({ session: { path } }) {
        const own = toSessionId(path);
        if (!isReported([...ids.keys()], own)) return;
        for (const [id, { place, count }] of ids)
          if (id !== own) report(place, describe(id, count));
      },
    };
  };
}

/** A session in the folder of another working directory. */
export const placeOtherProject: Rule = {
  id: 'place-other-project',
  level: 'warning',
  fixable: false,
  isAboutPath: true,
  summary: "a session of Claude Code in another folder than its project's",
  help:
    'Claude Code looks for the sessions of a working directory in the folder that is named after ' +
    'it, so it offers this one in the wrong project, or in none. Either the project or the file ' +
    'was moved. If the project has moved, `coppice migrate --cwd <old>=<new>` corrects both; ' +
    'otherwise move the file.',
  reads: { ...NODE, cwd: 'whole' },
  check(report) {
    const places = new Map<string, Place>();
    return {
      line: checkNodes((value, line) => {
        const cwd = getString(value, 'cwd');
        if (cwd !== undefined && !places.has(cwd)) places.set(cwd, toUuidPlace(line, value));
      }),
      session({ session: { path } }) {
        if (findConfig(path) === undefined) return;
        const folder = basename(dirname(path));
        // A session that was begun in one directory and continued with in another has both.
        const [first] = places;
        if (!first || [...places.keys()].some((cwd) => toFolderName(cwd) === folder)) return;
        const [cwd, place] = first;
        report(place, `is not in the folder of its project, which is ${quotePath(cwd)}`);
      },
    };
  },
};

const SAVED_TO = 'saved to: ';

/** Output that was too long for a message, and is not in its file any more. */
export const toolResultsMissing: Rule = {
  id: 'tool-results-missing',
  level: 'warning',
  fixable: false,
  summary: 'a result in a session of Claude Code whose file of output is gone',
  help:
    'Output that is too long is kept in a file below `tool-results`, and the message holds its ' +
    'first lines and the path. Either the file was removed, usually by the clean-up of Claude ' +
    'Code, which checks the time of each file, or the session was moved. A model that reads the ' +
    'file, as the message advises, finds nothing.',
  reads: {
    ...NODE,
    message: { content: { type: 'whole', content: ['start', { text: 'start' }] } },
  },
  check(report) {
    const named = new Map<string, Place>();
    const gone = new Set<string>();
    return {
      line: checkNodes((value, line) => {
        for (const path of listSavedPaths(value)) {
          if (!named.has(path)) named.set(path, toUuidPlace(line, value));
        }
      }),
      async look(files) {
        for (const path of named.keys()) if (!(await files.exists(path))) gone.add(path);
      },
      session() {
        for (const path of gone) {
          const place = named.get(path);
          if (place) report(place, `the output is gone: ${quotePath(path)} does not exist`);
        }
      },
    };
  },
};

/** Paths of this system; nothing is known of the files of another. */
function listSavedPaths(value: JsonObject): readonly string[] {
  return listResultTexts(value).flatMap((text) => findSavedPath(text) ?? []);
}

function findSavedPath(text: string): string | undefined {
  if (!text.startsWith('<persisted-output>')) return undefined;
  const at = text.indexOf(SAVED_TO);
  const path = at === -1 ? '' : (text.slice(at + SAVED_TO.length).split('\n', 1)[0] ?? '');
  return /[/\\]tool-results[/\\]/.test(path) && isOwnPath(path) ? path : undefined;
}
