import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { readSessionFiles, readSidecars } from './session-files.ts';
import { Survey } from './sidecars/survey.ts';

/** The bytes of a session with its sidecars and its sub-agents. */
export type MeasureTotal = (
  session: Pick<SessionSummary, 'agent' | 'path' | 'size' | 'files' | 'subagents'>,
) => Promise<number>;

/**
 * Measures sessions; looks at each directory once. What cannot be looked at is not counted, as in a
 * listing of files.
 */
export function createTotalMeasure(): MeasureTotal {
  const survey = new Survey();
  return async ({ agent, path, size, files = [], subagents = [] }) => {
    const { sidecars, places } = getDialect(agent);
    if (!sidecars) return subagents.reduce((total, one) => total + one.size, size);
    // The files of other sub-agents are among the sidecars.
    const started = places.spawned ? subagents.map((one) => one.path) : [];
    const parts = [...files, ...started].filter((part) => part !== path);
    try {
      if (parts.length > 0) {
        const whole = await readSessionFiles(path, sidecars, survey, { parts });
        return whole.files.reduce((sum, file) => sum + file.size, 0);
      }
      const found = await readSidecars(path, sidecars, survey);
      return found?.files.reduce((sum, file) => sum + file.size, size) ?? size;
    } catch (error) {
      if (error instanceof FileError) return size;
      throw error;
    }
  };
}
