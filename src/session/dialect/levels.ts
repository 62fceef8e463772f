export const LEVELS = ['off', 'info', 'warning', 'error'] as const;

/** The severity of a finding; `off` silences a rule. */
export type Level = (typeof LEVELS)[number];

export type FindingLevel = Exclude<Level, 'off'>;

/** Levels by the ids of rules, where they differ from the rules' own. One object for all files of a run. */
export type RuleLevels = ReadonlyMap<string, Level>;
