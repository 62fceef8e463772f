import type { Framing, LineFold, SourceFile } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import { foldSession } from './fold-session.ts';
import type { LineContent } from './jsonl/parse-line.ts';
import type { Line } from './jsonl/line-splitter.ts';
import { fileExists, type ReadLinesOptions } from './jsonl/read-lines.ts';
import { emptyFile } from './rules/file-empty.ts';
import type { Check, CheckedSession, Finding, Level, Report, Rule } from './rules/rule.ts';
import type { Session } from './session.ts';
import { buildTree, getPath } from './tree.ts';

export type RuleLevels = ReadonlyMap<string, Level>;

export interface ValidateOptions extends ReadLinesOptions {
  /** Overrides of the rules' own levels. */
  readonly levels: RuleLevels;
}

export interface Validation {
  /** Undefined for an empty file, which no agent can be told from. */
  readonly dialect: Dialect | undefined;
  readonly entryCount: number;
  /** In line order. */
  readonly findings: readonly Finding[];
}

/**
 * Checks every line and relation of a session file. Undefined when the file is no session.
 * @throws FileError if it cannot be read.
 */
export async function validateSession(
  path: string,
  options: ValidateOptions,
): Promise<Validation | undefined> {
  const findings: Finding[] = [];
  const start = (rule: Rule): Check =>
    rule.check(createReport(path, rule, options.levels, findings));
  const folded = await foldSession(
    path,
    (dialect, framing) => new CheckFold(dialect, framing, dialect.rules.map(start)),
    options,
  );
  if (folded.kind === 'foreign') return undefined;
  if (folded.kind === 'empty') {
    createReport(path, emptyFile, options.levels, findings)({ line: 1, offset: 0 }, 'is empty');
    return { dialect: undefined, entryCount: 0, findings };
  }
  const { dialect, result } = folded;
  const checked = await toCheckedSession(dialect, result);
  for (const check of result.checks) check.session?.(checked);
  findings.sort((a, b) => a.line - b.line || a.byteOffset - b.byteOffset);
  return { dialect, entryCount: checked.session.entries.length, findings };
}

function createReport(path: string, rule: Rule, levels: RuleLevels, findings: Finding[]): Report {
  const level = levels.get(rule.id) ?? rule.level;
  if (level === 'off') return () => undefined;
  return ({ line, offset, id }, message) => {
    const place = { path, line, byteOffset: offset, ...(id !== undefined && { entryId: id }) };
    findings.push({ ...place, rule: rule.id, level, message, fixable: rule.fixable });
  };
}

interface Folded {
  readonly session: Session;
  readonly framing: Framing;
  readonly checks: readonly Check[];
}

/** Runs the line checks and builds the index in the same pass. */
class CheckFold implements LineFold<Folded> {
  readonly #framing: Framing;
  readonly #indexer: LineFold<Session>;
  readonly #checks: readonly Check[];
  readonly #lineChecks: readonly NonNullable<Check['line']>[];

  constructor(dialect: Dialect, framing: Framing, checks: readonly Check[]) {
    this.#framing = framing;
    this.#indexer = dialect.indexSession(framing);
    this.#checks = checks;
    this.#lineChecks = checks.flatMap((check) => check.line ?? []);
  }

  visit(line: Line, content: LineContent): void {
    this.#indexer.visit(line, content);
    for (const check of this.#lineChecks) check(line, content);
  }

  finish(file: SourceFile): Folded {
    return { session: this.#indexer.finish(file), framing: this.#framing, checks: this.#checks };
  }
}

async function toCheckedSession(dialect: Dialect, folded: Folded): Promise<CheckedSession> {
  const { session, framing } = folded;
  const tree = buildTree(session.entries);
  const path = getPath(tree, tree.leaf);
  const parent = session.header?.parentSession;
  const parentSessionExists = parent === undefined ? undefined : await fileExists(parent);
  return {
    session,
    framing,
    tree,
    path,
    context: dialect.selectContext(path),
    parentSessionExists,
  };
}
