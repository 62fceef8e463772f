import type { Entry } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';

/** A path as a session of its own: its lines as they are, each where it was. */
export function placePath(_session: Session, path: readonly Entry[]): readonly Entry[] {
  return path;
}
