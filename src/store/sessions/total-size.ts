import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { readSidecars } from './session-files.ts';
import { Survey } from './sidecars/survey.ts';

/** The bytes of a session with its sidecars. */
export type MeasureTotal = (
  session: Pick<SessionSummary, 'agent' | 'path' | 'size' | 'subagents'>,
) => Promise<number>;

/**
 * Measures sessions; looks at each directory once. What cannot be looked at is not counted, as in a
 * listing of files.
 */
export function createTotalMeasure(): MeasureTotal {
  const survey = new Survey();
  return async ({ agent, path, size, subagents = [] }) => {
    const { sidecars } = getDialect(agent);
    if (!sidecars) return subagents.reduce((total, one) => total + one.size, size);
    try {
      const found = await readSidecars(path, sidecars, survey);
      return found?.files.reduce((sum, file) => sum + file.size, size) ?? size;
    } catch (error) {
      if (error instanceof FileError) return size;
      throw error;
    }
  };
}
