import { basename } from 'node:path';
import { toHeaderPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';

/** `<timestamp>_<id>.jsonl`, as pi names its files. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_(.+)\.jsonl$/;

/** A file whose name holds another id than its header. */
export const placeFileName: Rule = {
  id: 'place-file-name',
  level: 'info',
  fixable: false,
  isAboutPath: true,
  summary: "a file named after another id than its header's",
  help:
    'pi uses the header, but people and scripts look for a session by its file. The file was ' +
    'copied or renamed by hand. Rename it to `<timestamp>_<id>.jsonl`. Sessions of version 1 are ' +
    'not checked: there the two may differ.',
  check: (report) => ({
    session({ session: { path, header, formatVersion } }) {
      const [, id] = NAME.exec(basename(path)) ?? [];
      if (!header || formatVersion < 2 || id === undefined || id === header.id || header.id === '')
        return;
      report(
        toHeaderPlace(header),
        `the file is named after ${quote(id)}, the header has ${quote(header.id)}`,
      );
    },
  }),
};
