import { isUtf8 } from 'node:buffer';
import type { Rule } from '../../../dialect/rule.ts';
import { isWellFormed } from '../../../jsonl/read/parse-line.ts';
import { toPlace } from '../../../rules/place.ts';

/** Bytes that are not UTF-8, on a line that parses or not: for one of them, Codex reads no line of a file. */
export const rolloutInvalidUtf8: Rule = {
  id: 'rollout-invalid-utf8',
  level: 'error',
  fixable: true,
  summary: 'a rollout of Codex with bytes that are not UTF-8',
  help:
    'One such byte anywhere, and Codex neither lists nor opens the thread. A crash in the middle of a ' +
    'character leaves one at the end of the file, and another program may have stored the output of a ' +
    'tool without decoding it. `--fix` puts U+FFFD where bytes are not text, and moves the line as it ' +
    'was to the `.rejected` file.',
  reads: {},
  check: (report) => ({
    line(line, content) {
      if (line.oversized || isWellFormed(line, content)) return;
      report(toPlace(line), 'holds bytes that are not valid UTF-8: Codex does not read the file');
    },
  }),
  replaceBytes: (bytes) => (isUtf8(bytes) ? undefined : Buffer.from(bytes.toString('utf8'))),
};
