import type { Dialect } from '../dialect/dialect.ts';
import {
  type Line,
  type LineSkimmer,
  NO_LINES,
  type SkimmedLines,
} from '../jsonl/read/line-splitter.ts';
import type { LineContent } from '../jsonl/read/parse-line.ts';
import { type LinePlan, mergePlans } from '../jsonl/scanner/plan.ts';
import { Found } from './found.ts';
import { remember } from '../rules/remember.ts';
import { type RunSources, toLookedAt } from '../read/summaries/looked-at.ts';
import { fileExists } from '../jsonl/read/read-lines.ts';
import type { Entry } from '../model/entry.ts';
import type { Session } from '../model/session.ts';
import { listParentPlaces } from '../model/tree/parents.ts';
import { treeOf, findLeaves, getCurrentPath, getPath } from '../model/tree/tree.ts';
import type {
  Check,
  CheckedSession,
  Collector,
  FileFacts,
  Finding,
  LookedAt,
  Report,
  Rule,
  VisitLine,
} from '../dialect/rule.ts';
import type { Framing, IndexFold, LineFold, SourceFile } from '../dialect/fold.ts';
import type { UnparsedEntry } from '../dialect/known-shapes.ts';
import type { Level, RuleLevels } from '../dialect/levels.ts';

export interface CheckOptions {
  /** Overrides of the rules' own levels. */
  readonly levels: RuleLevels;
  /** Look at the contexts of all branches, and not at that of the current path only. */
  readonly allBranches?: boolean | undefined;
  /** Absent: what is in databases is not checked, and what was found about files is not kept for the next session. */
  readonly sources?: RunSources | undefined;
  /** The findings of one rule that are kept; of more, one gives the number. Absent: those that a report lists. */
  readonly mostOfRule?: number | undefined;
}

/** The lines of one session file, checked; what is left to check is how they relate. */
export interface CheckedLines {
  readonly session: Session;
  /** Checks the relations too, and gives all findings in line order. */
  conclude(): Promise<readonly Finding[]>;
  /** Builds the facts for rules about relations. */
  relate(): Promise<CheckedSession>;
}

/** Returns the level of a rule: the configured one, or that of the agent. */
export function getLevel({ id, level }: Rule, levels: RuleLevels, dialect?: Dialect): Level {
  return levels.get(id) ?? dialect?.levels?.get(id) ?? level;
}

/** Runs the line checks and builds the index in the same pass. */
export class CheckFold implements LineFold<CheckedLines> {
  readonly #dialect: Dialect;
  readonly #framing: Framing;
  readonly #file: FileFacts;
  readonly #indexer: IndexFold;
  readonly #checks: readonly Check[];
  /** Collectors come first. */
  readonly #visitors: readonly VisitLine[];
  readonly #collectors: ReadonlySet<Collector>;
  readonly #levels: RuleLevels;
  readonly #allBranches: boolean;
  readonly #files: LookedAt;
  readonly #found: Found;
  /** Some rule looks at all of a line. */
  readonly #readsWhole: boolean;
  /** The plan of the index, and the same with the members that rules read. */
  #plans: { readonly own: LinePlan; readonly all: LinePlan } | undefined;

  constructor(path: string, dialect: Dialect, framing: Framing, options: CheckOptions) {
    const { levels, allBranches = false, mostOfRule } = options;
    this.#found = new Found(mostOfRule);
    this.#files = toLookedAt(options.sources);
    this.#allBranches = allBranches;
    this.#dialect = dialect;
    this.#framing = framing;
    this.#indexer = dialect.reading.indexSession(framing);
    const file = (this.#file = { path, framing });
    const active = listActiveRules(levels)(dialect);
    this.#collectors = new Set(active.flatMap(({ rule }) => rule.collect?.(file) ?? []));
    this.#checks = active.map(({ rule, level }) =>
      rule.check(createReport(path, rule, level, this.#found), file),
    );
    this.#visitors = [...this.#collectors, ...this.#checks].flatMap(({ line }) => line ?? []);
    this.#readsWhole = active.some(
      ({ rule: { reads, collect } }, at) =>
        reads === undefined && (collect ?? this.#checks[at]?.line) !== undefined,
    );
    this.#levels = levels;
  }

  get plan(): LinePlan | undefined {
    const own = this.#indexer.plan;
    if (!own || this.#readsWhole) return undefined;
    if (this.#plans?.own !== own) this.#plans = { own, all: planWithRules(own, this.#dialect) };
    return this.#plans.all;
  }

  /** Takes lines like one in which no rule has found anything, at the levels that rules have. */
  skim(...slice: Parameters<LineSkimmer>): SkimmedLines {
    const visit = (unparsed: UnparsedEntry): void => {
      for (const collector of this.#collectors) collector.unparsed?.(unparsed);
    };
    return this.#indexer.shapes?.skim(this.#levels, visit, ...slice) ?? NO_LINES;
  }

  visit(line: Line, content: LineContent): void {
    const found = this.#found.total;
    this.#indexer.visit(line, content);
    for (const visit of this.#visitors) visit(line, content);
    this.#indexer.shapes?.learn(line, content, this.#found.total === found);
  }

  finish(file: SourceFile): CheckedLines {
    const session = this.#indexer.finish(file);
    let checked: Promise<CheckedSession> | undefined;
    const relate = (): Promise<CheckedSession> =>
      (checked ??= toCheckedSession(session, this.#dialect, this.#file, this.#allBranches));
    let findings: Promise<readonly Finding[]> | undefined;
    return { session, relate, conclude: () => (findings ??= this.#conclude(relate())) };
  }

  async #conclude(relations: Promise<CheckedSession>): Promise<readonly Finding[]> {
    const checked = await relations;
    const { session } = checked;
    // Few have it, and each wait takes a turn.
    for (const check of this.#checks) if (check.look) await check.look(this.#files);
    for (const check of this.#checks) check.session?.(checked);
    const findings = this.#found.inLineOrder();
    const { currentVersion } = this.#dialect;
    const isKnown = this.#framing === 'lines' && session.formatVersion <= currentVersion;
    if (!findings.some(({ fixable }) => fixable)) return findings;
    const isFree =
      isKnown && (await describeNoRepair(this.#dialect, session, this.#files)) === undefined;
    if (isFree) return findings;
    // Files that no command changes.
    return findings.map((finding) => ({ ...finding, fixable: false }));
  }
}

/** The plan of an index, with what the rules of its agent look at. */
const planWithRules = remember((own: LinePlan, { rules }: Dialect): LinePlan =>
  mergePlans([own, ...rules.map(({ reads = {} }) => reads)]),
);

/** Returns the reason why `--fix` must not repair a file; undefined if it may. */
export async function describeNoRepair(
  { repairing }: Dialect,
  session: Session,
  files: LookedAt,
): Promise<string | undefined> {
  return repairing?.findObstacle(session, files);
}

interface ActiveRule {
  readonly rule: Rule;
  readonly level: Level;
}

/** Lists the rules that are not off, for each agent: once, and not for each session. */
const listActiveRules = remember((levels: RuleLevels) =>
  remember((dialect: Dialect): readonly ActiveRule[] =>
    dialect.rules
      .map((rule) => ({ rule, level: getLevel(rule, levels, dialect) }))
      .filter(({ level }) => level !== 'off'),
  ),
);

/** A report that turns what a rule says into findings of a level. */
export function createReport(path: string, rule: Rule, level: Level, found: Found): Report {
  if (level === 'off') return () => undefined;
  return ({ line, offset, id, fixable: isHarmless }, message) => {
    const { id: ruleId } = rule;
    const fixable = rule.fixable && isHarmless !== false;
    const finding = { path, line, byteOffset: offset, rule: ruleId, level, message, fixable };
    found.add(id === undefined ? finding : Object.assign(finding, { entryId: id }));
  };
}

async function toCheckedSession(
  session: Session,
  dialect: Dialect,
  file: FileFacts,
  allBranches: boolean,
): Promise<CheckedSession> {
  const tree = treeOf(session);
  const path = getCurrentPath(tree);
  let all: readonly (readonly Entry[])[] | undefined;
  const getAllContexts = (): readonly (readonly Entry[])[] =>
    (all ??= findLeaves(tree).map((leaf) => dialect.context.select(getPath(tree, leaf))));
  const parent = session.header?.parentSession;
  // An id, as oh-my-pi writes of some forks, may be of a session in any store.
  const isNamed = parent !== undefined && isPath(parent);
  const parentSessionExists = isNamed ? await parentExists(parent, file.path) : undefined;
  return {
    session,
    file,
    isKnownVersion: session.formatVersion <= dialect.currentVersion,
    framing: file.framing,
    tree,
    path,
    contexts: allBranches ? getAllContexts() : [dialect.context.select(path)],
    getAllContexts,
    parentSessionExists,
  };
}

function isPath(parent: string): boolean {
  return /[/\\]|\.jsonl?$/.test(parent);
}

/** Returns whether the file of a parent is there: by its path, or in a store that was moved, copied or is reached by another path. */
async function parentExists(parent: string, path: string): Promise<boolean> {
  // An array may have been migrated since.
  const names = parent.endsWith('.json') ? [parent, `${parent}l`] : [parent];
  for (const place of names.flatMap((name) => [name, ...listParentPlaces(name, path)])) {
    if (await fileExists(place)) return true;
  }
  return false;
}
