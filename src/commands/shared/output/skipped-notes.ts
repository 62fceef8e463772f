import type { FileError } from '../../../errors.ts';
import { formatPath } from '../../../report/text/paths.ts';
import type { Context } from '../../command.ts';

/** Collects databases and files of agents that could not be read, and without which a run continues. */
export class SkippedNotes {
  readonly #problems: FileError[] = [];

  readonly add = (problem: FileError): void => void this.#problems.push(problem);

  /** Writes one line for each to standard error. */
  async report({ home, terminal }: Context): Promise<void> {
    for (const { path, message } of this.#problems) {
      const notice = `coppice: ${formatPath(path, home)}: ${message}; continued without it\n`;
      await terminal.err.write(notice);
    }
  }
}
