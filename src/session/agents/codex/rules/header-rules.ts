import type { Rule } from '../../../dialect/rule.ts';
import { toPlace } from '../../../rules/place.ts';
import { quote } from '../../../rules/wording.ts';
import {
  CURRENT_VERSION,
  getVersion,
  isCodexLine,
  isEnveloped,
  listMissingFields,
  openLine,
  UNKNOWN_VERSION,
} from '../format.ts';

/** A rollout that does not begin with a header that Codex accepts. */
export const rolloutHeader: Rule = {
  id: 'rollout-header',
  level: 'error',
  fixable: false,
  summary: 'a rollout of Codex that does not begin with a header that Codex accepts',
  help:
    'Codex reads the first line that parses as the `session_meta` of the thread. Where it is another ' +
    'line, lacks `id`, `timestamp`, `cwd`, `originator` or `cli_version`, or names a history mode that is ' +
    'not known, the thread is listed and not opened, or not listed at all. Bring the line back from a backup.',
  check(report) {
    let isFirst = true;
    return {
      line(line, content) {
        if (!isFirst || content.kind !== 'object') return;
        isFirst = false;
        const { value } = content;
        if (!isEnveloped(value)) return;
        const { type, payload } = openLine(value);
        if (type !== 'session_meta') {
          report(
            toPlace(line),
            `begins with a line of type ${quote(type)}: Codex does not open it`,
          );
          return;
        }
        const missing = listMissingFields(payload);
        if (missing.length > 0) {
          report(toPlace(line), `the header has no ${missing.join(', ')}: Codex does not open it`);
        }
        if (getVersion(payload) === UNKNOWN_VERSION) {
          report(
            toPlace(line),
            'the history mode in the header is unknown: Codex does not open it',
          );
        }
      },
    };
  },
};

/** A second header below other lines, behind which the context of a paginated file begins. */
export const rolloutHeaderRepeated: Rule = {
  id: 'rollout-header-repeated',
  level: 'error',
  fixable: false,
  summary: 'a rollout of Codex with a second header below other lines',
  help:
    'In a file with ordinals, the model is sent only the lines behind the last `session_meta`, while the ' +
    'list of turns still shows what stands before it. One directly below the first, as forks and ' +
    'sub-agents have it, does no harm. Older files are read whole.',
  check(report) {
    let isPaginated: boolean | undefined;
    let hasOthers = false;
    return {
      line(line, content) {
        if (content.kind !== 'object') return;
        const { type, payload } = openLine(content.value);
        if (type !== 'session_meta') {
          hasOthers ||= type === 'response_item' || type === 'compacted';
          return;
        }
        const isRepeated = isPaginated === true && hasOthers;
        isPaginated ??= getVersion(payload) === CURRENT_VERSION;
        if (isRepeated) {
          report(toPlace(line), 'the model is sent only the lines below this second header');
        }
      },
    };
  },
};

/** A rollout of a release before 0.40. */
export const rolloutOld: Rule = {
  id: 'rollout-old',
  level: 'info',
  fixable: false,
  summary: 'a rollout of an early Codex, which newer releases do not list',
  help:
    'Releases before 0.40 wrote items without an envelope. No newer release lists or opens such a file; ' +
    'coppice lists and exports it. Nothing to repair.',
  check: (report) => ({
    session({ session: { formatVersion, header, entries } }) {
      const at = header ?? entries[0];
      if (formatVersion > 0 || !at) return;
      report(
        { line: at.line, offset: at.offset },
        'written before 0.40: newer releases do not list it',
      );
    },
  }),
};

/** A line of a type that no release is known to write. */
export const rolloutTypeUnknown: Rule = {
  id: 'rollout-type-unknown',
  level: 'info',
  fixable: false,
  summary: 'a line of a rollout of Codex of an unknown type',
  help: 'Codex skips lines of a type that it does not know, and so does coppice. Nothing to repair.',
  check: (report) => ({
    line(line, content) {
      if (content.kind !== 'object' || isCodexLine(content.value)) return;
      const { type } = openLine(content.value);
      report(toPlace(line), `unknown type ${quote(type)}`);
    },
  }),
};
