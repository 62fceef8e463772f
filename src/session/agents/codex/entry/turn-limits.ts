import type { Entry } from '../../../model/entry.ts';

/** The state of the turn after the lines before. */
export interface TurnState {
  /** Whether a line has begun a turn by saying so: releases before 0.100 wrote none. */
  readonly hasLimits: boolean;
  /** Whether a turn has begun and not ended. */
  readonly isOpen: boolean;
}

/** Returns whether a person typed the message that an entry is. */
export function isPrompt({ type, role }: Entry): boolean {
  return type === 'message' && role === 'user';
}

/** Returns whether a turn begins at an entry; without lines that say so, a prompt begins one. */
export function beginsTurn(entry: Entry, { hasLimits, isOpen }: TurnState): boolean {
  if (entry.type === 'task_started') return true;
  return isPrompt(entry) && !(isOpen && hasLimits);
}

/** Returns whether an entry ends the turn that it is in. */
export function endsTurn({ type }: Entry): boolean {
  return type === 'task_complete' || type === 'turn_aborted';
}

/** Finds the positions on a path at which turns begin. */
export function findTurnStarts(path: readonly Entry[]): readonly number[] {
  const starts: number[] = [];
  let [hasLimits, isOpen] = [false, false];
  for (const [at, entry] of path.entries()) {
    if (beginsTurn(entry, { hasLimits, isOpen })) {
      starts.push(at);
      isOpen = true;
    } else if (endsTurn(entry)) isOpen = false;
    hasLimits ||= entry.type === 'task_started';
  }
  return starts;
}
