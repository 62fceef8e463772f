import { basename } from 'node:path';
import type { Rule } from '../../../dialect/rule.ts';
import { toHeaderPlace } from '../../../rules/place.ts';
import { quote, quotePath } from '../../../rules/wording.ts';
import { CURRENT_VERSION, LEGACY_VERSION, parseName } from '../format.ts';

/** A rollout that Codex would not open because of its name. */
export const rolloutName: Rule = {
  id: 'rollout-name',
  level: 'error',
  fixable: false,
  isAboutPath: true,
  summary: 'a rollout of Codex whose file has a name that Codex does not give',
  help:
    'Codex lists no file whose name does not begin with `rollout-`. It opens threads of releases ' +
    'since 0.148 only by a name of the form `rollout-<time>-<thread id>.jsonl`, with `_<rollout ' +
    'id>` after the id if a revert has made the file. Give the file that name; the id is in its ' +
    'first line.',
  check: (report) => ({
    session({ session: { path, header, formatVersion } }) {
      const name = quotePath(basename(path));
      if (formatVersion === CURRENT_VERSION) {
        if (!parseName(path))
          report(toHeaderPlace(header), `Codex does not open a file named ${name}`);
      } else if (formatVersion === LEGACY_VERSION && !LISTED.test(basename(path))) {
        report(toHeaderPlace(header), `Codex does not list a file named ${name}`);
      }
    },
  }),
};

/** Codex lists every file of such a name for older threads. */
const LISTED = /^rollout-.{1,255}\.jsonl(?:\.zst)?$/;

/** A rollout whose name has another id than its first line. */
export const rolloutNameId: Rule = {
  id: 'rollout-name-id',
  level: 'error',
  fixable: false,
  isAboutPath: true,
  summary: 'a rollout of Codex whose name has another thread id than its first line',
  help:
    'Codex lists such a file under the id in its first line, and also finds it by the id in its ' +
    'name: two threads seem to share one file, and new turns of one appear in the other. The file ' +
    'was copied or renamed by hand. Give it its old name, or remove the copy.',
  check: (report) => ({
    session({ session: { path, header } }) {
      const named = parseName(path)?.threadId;
      if (!header || named === undefined || header.id === '' || named === header.id) return;
      report(
        toHeaderPlace(header),
        `the name has ${named}, and the first line ${quote(header.id)}`,
      );
    },
  }),
};
