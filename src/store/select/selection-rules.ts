import { toDirectory } from '../../session/model/paths.ts';
import type { Agent } from '../../session/model/agent.ts';
import type { Source, State } from '../../session/model/summary.ts';
import { createNameMatcher } from './name-matcher.ts';
import { parseAge, parseMoment } from './age.ts';
import type { Selection } from './selection.ts';
import { parseSize } from './size.ts';

/** The sessions that a user or a program asks for, as written. */
export interface SelectionRules {
  readonly agent?: Agent | undefined;
  /** A directory: sessions that work in it or below it. */
  readonly project?: string | undefined;
  /** Ages such as `30d`, or dates; those of the last activity. */
  readonly olderThan?: string | undefined;
  readonly newerThan?: string | undefined;
  /** Ages or dates, of the start. */
  readonly startedBefore?: string | undefined;
  readonly startedAfter?: string | undefined;
  /** Sizes of the session file, such as `10MB`. */
  readonly largerThan?: string | undefined;
  readonly smallerThan?: string | undefined;
  /** Globs. */
  readonly named?: string | undefined;
  readonly model?: string | undefined;
  readonly formatVersion?: number | undefined;
  readonly source?: Source | undefined;
  readonly state?: State | undefined;
  /** An age: sessions that their agent may delete within it. */
  readonly expiring?: string | undefined;
  /** Selects the n that were active last of all that match. */
  readonly last?: number | undefined;
}

/** The facts that are needed to parse rules. */
export interface RuleContext {
  /** Milliseconds. */
  readonly now: number;
  readonly cwd: string;
  /** The name of a rule in messages: `--older-than` on the command line. */
  readonly toLabel: (rule: string) => string;
}

/** @throws UsageError that names the rule which cannot be read. */
export function parseSelection(
  rules: SelectionRules,
  { now, cwd, toLabel }: RuleContext,
): Selection {
  const { agent, formatVersion, source, state, last } = rules;
  const read = <T>(rule: keyof SelectionRules, parse: (text: string, label: string) => T) => {
    const text = rules[rule];
    return text === undefined ? undefined : parse(String(text), toLabel(rule));
  };
  const moment = (text: string, label: string): number => parseMoment(text, label, now);
  return {
    agent,
    project: read('project', (path) => toDirectory(path, cwd)),
    activeBefore: read('olderThan', moment),
    activeAfter: read('newerThan', moment),
    startedBefore: read('startedBefore', moment),
    startedAfter: read('startedAfter', moment),
    largerThan: read('largerThan', parseSize),
    smallerThan: read('smallerThan', parseSize),
    named: read('named', createNameMatcher),
    model: read('model', createNameMatcher),
    formatVersion,
    source,
    state,
    expiringBefore: read('expiring', (text, label) => now + parseAge(text, label, now)),
    last,
  };
}
