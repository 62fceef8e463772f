import type { Dialect } from '../dialect/dialect.ts';
import type { IndexFold, LineFold } from '../dialect/fold.ts';
import { findBelow } from '../jsonl/files/find-below.ts';
import { NO_LINES } from '../jsonl/read/line-splitter.ts';
import type { LineContent } from '../jsonl/read/parse-line.ts';
import type { ReadLinesOptions } from '../jsonl/read/read-lines.ts';
import type { Session } from '../model/session.ts';
import { isCompressed } from '../jsonl/zstd/is-compressed.ts';
import { PrefixSum } from '../jsonl/read/spans/prefix-sum.ts';
import type { SourceState } from '../jsonl/write/compose-file.ts';
import type { Problem } from '../model/summary.ts';
import { foldSession } from './recognize.ts';
import { holdsNoObject } from './unread-lines.ts';

/** How the lines of a file are watched while it is indexed. */
export interface WatchOptions {
  /** Asks only for the kind of each line: then lines are cut down to what the index reads. */
  readonly seesKinds?: boolean | undefined;
  /** Is called for each line that is neither an object nor blank, of every file that the session has. */
  readonly onUnread?: (() => void) | undefined;
}

export interface ReadBasesOptions extends ReadLinesOptions, WatchOptions {
  /** Sees every parsed line of every file that a session continues from. */
  readonly onLine?: (
    dialect: Dialect,
    lineNumber: number,
    content: LineContent,
    file: string,
  ) => void;
  /** Gets every file that a session continues from, as it was read; with the sum where one is asked for. */
  readonly onBase?: (base: SourceState) => void;
}

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** The most files: more than any session continues from, unless they go in a circle. */
const MAX_FILES = 1000;

/** A session and the files that it continues from, each as it is by itself, the session first. */
export type Chain =
  | { readonly sessions: readonly [Session, ...Session[]] }
  | { readonly problem: Problem };

/**
 * A session with all that it continues from in other files. Where one of them is missing or too short,
 * it is what its own file holds, with the problem.
 * @throws FileError if one of the files cannot be read.
 */
export async function withBases(
  session: Session,
  dialect: Dialect,
  options: ReadBasesOptions,
): Promise<Session> {
  const { bases } = dialect;
  if (!bases || !session.base) return session;
  const chain = await readChain(session, dialect, options);
  if ('problem' in chain) return { ...session, problem: chain.problem };
  return chain.sessions.reduceRight((base, one) => bases.join(base, one));
}

/**
 * Reads the files that a session continues from; the problem where one of them is missing or too short.
 * @throws FileError if one of them cannot be read.
 */
export async function readChain(
  session: Session,
  dialect: Dialect,
  options: ReadBasesOptions,
): Promise<Chain> {
  const sessions: [Session, ...Session[]] = [session];
  const seen = new Set([session.path]);
  for (let at = session; at.base !== undefined;) {
    const found = await readBase(at, dialect, options);
    const isCircle = found !== undefined && seen.has(found.path);
    if (!found || isCircle || sessions.length >= MAX_FILES) {
      return { problem: describe(dialect, found ? 'a circle' : 'missing', at) };
    }
    if (at.base.end > found.stamp.size && !isCompressed(found.path)) {
      return { problem: describe(dialect, 'short', at) };
    }
    seen.add(found.path);
    sessions.push(found);
    at = found;
  }
  return { sessions };
}

async function readBase(
  { base, path }: Session,
  dialect: Dialect,
  { onLine, onBase, sum: ownSum, seesKinds, onUnread, ...options }: ReadBasesOptions,
): Promise<Session | undefined> {
  const { bases } = dialect;
  if (!bases || !base) return undefined;
  const fits = (name: string): boolean => bases.toFileId(name) === base.id;
  const file = findBelow(bases.listPlaces(path), fits);
  if (file === undefined || file === path) return undefined;
  const sum = ownSum && new PrefixSum();
  const folded = await foldSession(
    file,
    (own, framing) => {
      const fold = own.reading.indexSession(framing);
      const see = onLine && ((...line: Parameters<SeeLine>) => onLine(own, ...line, file));
      return watchLines(fold, see, { seesKinds, onUnread });
    },
    { ...options, sum },
  );
  if (folded.kind !== 'session' || folded.dialect !== dialect) return undefined;
  onBase?.({ path: file, stamp: folded.result.stamp, sum });
  return folded.result;
}

export type SeeLine = (lineNumber: number, content: LineContent) => void;

/** An index fold that shows each line on the way as the agent reads it, or those that could not be read. */
export function watchLines(
  fold: IndexFold,
  see: SeeLine | undefined,
  { seesKinds = false, onUnread }: WatchOptions,
): LineFold<Session> {
  if (!see) return onUnread ? watchUnread(fold, onUnread) : fold;
  return {
    get plan() {
      return seesKinds ? (fold.sharedPlan ?? fold.plan) : undefined;
    },
    visit(line, content) {
      fold.visit(line, content);
      if (onUnread && holdsNoObject(content)) onUnread();
      const isBroken = content.kind === 'malformed' && !seesKinds;
      const value = isBroken ? fold.findObject?.(line) : undefined;
      see(line.number, value ? { kind: 'object', value } : content);
    },
    finish: (file) => fold.finish(file),
  };
}

/** Lines that the fold takes by their bytes could be read. */
function watchUnread(fold: IndexFold, onUnread: () => void): LineFold<Session> {
  return {
    get plan() {
      return fold.plan;
    },
    skim: (...slice) => fold.skim?.(...slice) ?? NO_LINES,
    visit(line, content) {
      if (holdsNoObject(content)) onUnread();
      fold.visit(line, content);
    },
    finish: (file) => fold.finish(file),
  };
}

function describe(
  { agent }: Dialect,
  what: 'missing' | 'short' | 'a circle',
  { base }: Session,
): Problem {
  // Anything may stand there: only an id is repeated, also where secrets are taken out.
  const id = ID.test(base?.id ?? '') ? base?.id : 'another file';
  const text = {
    missing: `continues from ${id}, which is not in the store`,
    short: `continues from ${id} after its end: that file was shortened`,
    'a circle': `continues from ${id}, which continues from it`,
  }[what];
  const code = { missing: 'base-missing', short: 'base-short', 'a circle': 'base-circle' }[what];
  return { code, message: `${text}: ${agent} does not open it` };
}
