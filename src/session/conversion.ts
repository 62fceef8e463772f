import type { LineFold } from './dialect.ts';
import type { Piece } from './jsonl/compose-file.ts';
import type { LineProblem } from './migration.ts';
import type { Session } from './session.ts';
import type { SessionSummary } from './summary.ts';

/** Who a new session is, before it has a place. */
export interface NewIdentity {
  readonly id: string;
  /** When it began, ISO 8601. */
  readonly timestamp: string;
  readonly cwd: string;
  /** The path of the session that it was forked from, where that is known. */
  readonly parentSession?: string | undefined;
}

/** A session that has been read, on its way to another agent. */
export interface Converted {
  readonly session: Session;
  readonly id: string;
  readonly timestamp: string;
  /** A directory that it speaks of, for one whose own is not known. */
  readonly cwdHint: string | undefined;
  /** Why it cannot be converted. */
  readonly refusal: string | undefined;
  readonly messageCount: number;
  /** What cannot be carried over, or not as it was; in line order. */
  findProblems(identity: NewIdentity): readonly LineProblem[];
  /** The new file: lines of the source, changed, and new ones. */
  toPieces(identity: NewIdentity): readonly Piece[];
}

/** Makes sessions of another agent from an agent's own. */
export interface ConversionDialect {
  createConverter(): LineFold<Converted>;
  /** Who the new session is that is made of one, without making it. */
  identify(summary: SessionSummary): Pick<NewIdentity, 'id' | 'timestamp'>;
}
