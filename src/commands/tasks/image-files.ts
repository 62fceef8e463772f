import { createHash } from 'node:crypto';
import type { OutputDirectory } from '../../store/output-directory.ts';

/** The images of one session, each once. */
export class ImageFiles {
  readonly names = new Set<string>();
  readonly #output: OutputDirectory;
  readonly #stem: string;
  readonly #isDryRun: boolean;

  constructor(output: OutputDirectory, stem: string, isDryRun: boolean) {
    this.#output = output;
    this.#stem = stem;
    this.#isDryRun = isDryRun;
  }

  /** Returns its name, relative to the directory. */
  async save(bytes: Buffer, extension: string): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const name = `${this.#stem}.images/${hash}.${extension}`;
    if (!this.names.has(name) && !this.#isDryRun) await this.#output.write(name, [bytes]);
    this.names.add(name);
    return name;
  }
}
