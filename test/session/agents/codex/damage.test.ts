import { beforeEach, describe, expect, it } from 'vitest';
import { validateSession } from '../../../../src/session/validate/validate-session.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { DAMAGE, placeDamaged } from './damage.ts';

/** Rule and line; `!` where `--fix` repairs it. Gaps are left out: many changes leave some. */
const FOUND: Readonly<Record<string, readonly string[]>> = {
  'paginated: a torn last line': ['line-torn 29!'],
  'legacy: a torn last line': ['line-torn 28!'],
  'paginated: a malformed line': ['line-malformed 15'],
  'legacy: a malformed line': ['line-malformed 15'],
  'paginated: a line of NUL bytes': ['line-nul 11!'],
  'legacy: a line of NUL bytes': ['line-nul 11!'],
  'paginated: NUL bytes at the end': ['line-nul 30!'],
  'legacy: NUL bytes at the end': ['line-nul 29!'],
  'paginated: NUL bytes before a record': ['line-nul 10!'],
  'legacy: NUL bytes before a record': ['line-nul 10!'],
  'paginated: two records on one line': ['line-glued 10!', 'rollout-output-stray 13'],
  'legacy: two records on one line': ['line-glued 10!', 'rollout-output-stray 12'],
  'paginated: no final newline': ['line-unterminated 29!'],
  'legacy: no final newline': ['line-unterminated 28!'],
  'paginated: time going backwards': ['entry-time-backwards 16'],
  'legacy: time going backwards': ['entry-time-backwards 16'],
  'paginated: a byte that is not UTF-8': ['rollout-invalid-utf8 23!'],
  'legacy: a byte that is not UTF-8': ['rollout-invalid-utf8 22!'],
  'paginated: a byte order mark': ['file-bom 1!'],
  'legacy: a byte order mark': ['file-bom 1!'],
  'legacy: half of a surrogate pair': ['rollout-line-fields 16'],
  'paginated: no header': ['rollout-header 1'],
  'legacy: no header': ['rollout-header 1'],
  'paginated: the header on line 4': ['rollout-header 1!'],
  'legacy: the header on line 4': ['rollout-header 1!'],
  'paginated: a header without cli_version': ['rollout-header 1'],
  'legacy: a header without cli_version': ['rollout-header 1'],
  'paginated: a header whose cwd is a number': ['rollout-header 1'],
  'legacy: a header whose cwd is a number': ['rollout-header 1'],
  'legacy: a header whose id is no UUID': ['rollout-header 1', 'rollout-name-id 1'],
  'legacy: a header whose git is a text': ['rollout-header 1'],
  'legacy: a header whose base instructions are a text': ['rollout-header 1'],
  'legacy: a header whose source is a number': ['rollout-header 1'],
  'paginated: the header again, below': [
    'rollout-header-repeated 20!',
    'ordinal-order 20',
    'entry-time-backwards 20',
  ],
  'legacy: the header again, below': ['entry-time-backwards 20'],
  'paginated: the header of another thread, below': [
    'rollout-header-repeated 20',
    'rollout-header-foreign 20',
    'ordinal-order 20',
    'entry-time-backwards 20',
  ],
  'legacy: the header of another thread, below': [
    'rollout-header-foreign 20',
    'entry-time-backwards 20',
  ],
  'paginated: the header of another thread, at the top': [
    'rollout-header-foreign 2',
    'ordinal-order 2',
  ],
  'legacy: the header of another thread, at the top': ['rollout-header-foreign 2'],
  'paginated: an unknown history mode': ['rollout-header 1'],
  'legacy: an unknown history mode': ['rollout-header 1'],
  'paginated: an unknown source': ['rollout-source-unknown 1'],
  'legacy: an unknown source': ['rollout-source-unknown 1'],
  'legacy: claims to be paginated': ['ordinal-missing 1'],
  'paginated: claims to be legacy': ['ordinal-unexpected 1'],
  'paginated: names no history mode': ['ordinal-unexpected 1'],
  'paginated: an empty file': ['file-empty 1'],
  'legacy: an empty file': ['file-empty 1'],
  'paginated: only a newline': ['file-empty 1'],
  'legacy: only a newline': ['file-empty 1'],
  'paginated: only a header': ['rollout-prompt-missing 1'],
  'legacy: only a header': ['rollout-prompt-missing 1'],
  'paginated: a call without output': ['rollout-call-open 11'],
  'legacy: a call without output': ['rollout-call-open 11'],
  'paginated: an output without call': ['rollout-output-stray 13'],
  'legacy: an output without call': ['rollout-output-stray 12'],
  'paginated: a line of an unknown type': ['rollout-type-unknown 16'],
  'legacy: a line of an unknown type': ['rollout-type-unknown 16'],
  'legacy: an item of an unknown type': ['rollout-type-unknown 16'],
  'paginated: a record without a time': ['rollout-line-fields 7'],
  'legacy: a record without a time': ['rollout-line-fields 7'],
  'paginated: an answer without an envelope': ['rollout-line-fields 17'],
  'legacy: an answer without an envelope': ['rollout-line-fields 16'],
  'paginated: an output without an envelope': ['rollout-call-open 11', 'rollout-line-fields 14'],
  'legacy: an output without an envelope': ['rollout-call-open 11', 'rollout-line-fields 13'],
  'paginated: a time that is a number': ['rollout-line-fields 16', 'entry-time-backwards 16'],
  'legacy: a time that is a number': ['rollout-line-fields 16', 'entry-time-backwards 16'],
  'legacy: metadata that is a number': ['rollout-line-fields 16'],
  'legacy: a message without a role': ['rollout-line-fields 16'],
  'legacy: a message whose content is a text': ['rollout-line-fields 16'],
  'legacy: a message with a part of an unknown type': ['rollout-line-fields 16'],
  'legacy: a message with a part without text': ['rollout-line-fields 16'],
  'legacy: a call without arguments': ['rollout-line-fields 11'],
  'legacy: a call without an id': [
    'rollout-line-fields 11',
    'rollout-call-open 11',
    'rollout-output-stray 13',
  ],
  'legacy: a call whose arguments are an object': ['rollout-line-fields 11'],
  'legacy: an output of nothing': ['rollout-line-fields 13'],
  'legacy: an output that is a number': ['rollout-line-fields 13'],
  'legacy: an output that is an object': ['rollout-line-fields 13'],
  'legacy: a thought without a summary': ['rollout-line-fields 10'],
  'legacy: prompts without a text': ['rollout-line-fields 8', 'rollout-line-fields 23'],
  'legacy: prompts whose images are a number': ['rollout-line-fields 8', 'rollout-line-fields 23'],
  'paginated: one ordinal missing': ['ordinal-missing 16'],
  'paginated: one ordinal a text': ['rollout-line-fields 17'],
  'legacy: one ordinal a text': ['rollout-line-fields 16'],
  'paginated: one ordinal a fraction': ['rollout-line-fields 17'],
  'paginated: one ordinal negative': ['rollout-line-fields 17'],
  'paginated: one ordinal null': ['ordinal-missing 17'],
  'paginated: an ordinal twice': ['ordinal-order 17'],
  'paginated: an ordinal too small': ['ordinal-order 17'],
  'paginated: no ordinals': ['ordinal-missing 1'],
  'paginated: no ordinal in the last line': ['ordinal-missing 29'],
  'legacy: one ordinal': ['ordinal-unexpected 1'],
  'paginated: a turn without an end': ['rollout-turn-open 2'],
  'legacy: a turn without an end': ['rollout-turn-open 2'],
  'paginated: no prompt among the events': ['rollout-prompt-missing 1'],
  'legacy: no prompt among the events': ['rollout-prompt-missing 1'],
  'paginated: items only': ['rollout-prompt-missing 1'],
  'legacy: items only': ['rollout-prompt-missing 1'],
  'paginated: events only': ['rollout-items-missing 6'],
  'legacy: events only': ['rollout-items-missing 6'],
  'paginated: a name that is not the client’s': ['rollout-name 1'],
  'legacy: a name that is not the client’s': ['rollout-name 1'],
  'paginated: a suffix in its name': ['rollout-name 1'],
  'paginated: another id in its name': ['rollout-name-id 1'],
  'legacy: another id in its name': ['rollout-name-id 1'],
  'paginated: a copy under another name': ['rollout-twice 1'],
  'legacy: a copy under another name': ['rollout-twice 1'],
};

/** A gap does no harm, and the directory is that of another machine. */
const LEFT_OUT: ReadonlySet<string> = new Set(['ordinal-gap', 'rollout-cwd-missing']);

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
});

describe('the rules for rollouts find each fault that the client was seen to meet', () => {
  it.each(DAMAGE.map((damage) => [`${damage.mode}: ${damage.what}`, damage] as const))(
    '%s',
    async (what, damage) => {
      const path = await placeDamaged(dir, damage);
      const validation = await validateSession(path, { levels: new Map() });
      const found = validation?.findings.filter(({ rule }) => !LEFT_OUT.has(rule)) ?? [];
      const marked = found.map(({ rule, line, fixable }) => `${rule} ${line}${fixable ? '!' : ''}`);
      expect(marked).toEqual(FOUND[what] ?? []);
    },
  );
});
