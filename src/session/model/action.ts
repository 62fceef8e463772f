export const ACTIONS = [
  'migrate',
  'relocate',
  'fork',
  'move',
  'label',
  'compact',
  'reduce',
  'compress',
  'decompress',
  'flatten',
  'remove',
  'restore',
  'export',
  'backup',
  'keep',
  'unchanged',
  'skip',
  'fail',
] as const;

/** An action of a command on a session. */
export type Action = (typeof ACTIONS)[number];

/** The outcome for one session, or the outcome that applying would have. Sizes in bytes. */
export interface ActionResult {
  readonly path: string;
  readonly action: Action;
  /** The reasons, for people: each a few words. */
  readonly reasons: readonly string[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

export interface ActionSummary {
  /** False for a preview. */
  readonly applied: boolean;
  readonly sessions: number;
  /** Only actions that occur. */
  readonly actions: Readonly<Partial<Record<Action, number>>>;
  /** Negative when files grow. */
  readonly bytesReclaimed: number;
}

/** Actions that leave the file as it is. */
const PASSIVE: ReadonlySet<Action> = new Set(['keep', 'unchanged', 'skip', 'fail']);

export function isChange({ action }: ActionResult): boolean {
  return !PASSIVE.has(action);
}

export function sumActions(results: readonly ActionResult[], applied: boolean): ActionSummary {
  const counts = ACTIONS.map((action) => {
    return [action, results.filter((result) => result.action === action).length] as const;
  });
  const bytesReclaimed = results
    .filter(isChange)
    .reduce((sum, { bytesBefore, bytesAfter }) => sum + bytesBefore - bytesAfter, 0);
  return {
    applied,
    sessions: results.length,
    actions: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    bytesReclaimed,
  };
}
