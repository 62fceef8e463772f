import { createHash } from 'node:crypto';
import type { OutputDirectory, WrittenFile } from '../../store/output/output-directory.ts';

/** The images of one session, each once. */
export class ImageFiles {
  readonly names = new Set<string>();
  /** The name of the session's export, without its extension; to be set before images come. */
  stem = '';
  readonly #output: OutputDirectory;
  readonly #isDryRun: boolean;
  readonly #written: WrittenFile[];

  /** Adds to `written` what it writes. */
  constructor(output: OutputDirectory, isDryRun: boolean, written: WrittenFile[]) {
    this.#output = output;
    this.#isDryRun = isDryRun;
    this.#written = written;
  }

  /** Returns its name, relative to the directory. */
  async save(bytes: Buffer, extension: string): Promise<string> {
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const name = `${this.stem}.images/${hash}.${extension}`;
    if (!this.names.has(name) && !this.#isDryRun) {
      this.#written.push(await this.#output.write(name, [bytes]));
    }
    this.names.add(name);
    return name;
  }
}
