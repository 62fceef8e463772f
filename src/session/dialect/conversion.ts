import type { LineFold } from './dialect.ts';
import type { Piece } from '../jsonl/write/compose-file.ts';
import type { LineProblem } from './migration.ts';
import type { Session } from '../model/session.ts';

/** Who a new session is, before it has a place. */
export interface NewIdentity {
  readonly id: string;
  /** When it began, ISO 8601. */
  readonly timestamp: string;
  readonly cwd: string;
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
  /** What cannot be carried over, or not as it was; in line order. */
  readonly problems: readonly LineProblem[];
  readonly messageCount: number;
  /** The new file: lines of the source, changed, and new ones. */
  toPieces(identity: NewIdentity): readonly Piece[];
}

/** Makes sessions of another agent from an agent's own. */
export interface ConversionDialect {
  createConverter(): LineFold<Converted>;
}
