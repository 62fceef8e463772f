import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { createIds, runTest } from '../../memory-terminal.ts';
import { Reference } from '../reference.ts';
import { Images } from './images.ts';
import { View } from './view.ts';

/** The one refusal that is not a failure: steps look whether it is true. */
const NOTHING_SAID = 'nothing in the conversation could be summarized';
/** An export of a fork without its beginning is written, and named. */
const PATH_CUT = 'is cut: the parent of the entry';

/** A session that commands work on, one after another, and pi to ask about it. */
export class Bench {
  readonly reference = new Reference();
  readonly images = new Images();
  readonly #root = mkdtempSync(join(tmpdir(), 'coppice-sequence-'));
  readonly #store = join(this.#root, 'store');
  readonly #out = join(this.#root, 'out');
  readonly #kept = join(this.#root, 'kept');
  #views = 0;

  /** Where scripts may write. */
  get grown(): string {
    return join(this.#root, 'grown');
  }

  start(text: string): void {
    for (const dir of [this.#store, this.#kept, this.grown]) {
      rmSync(dir, { recursive: true, force: true });
      mkdirSync(dir);
    }
    this.replace(text);
  }

  get #session(): string {
    return join(this.#store, 's.jsonl');
  }

  replace(text: string): void {
    writeFileSync(this.#session, text);
  }

  read(): string {
    return readFileSync(this.#session, 'utf8');
  }

  look(): View {
    this.#views += 1;
    return new View(this.reference, this.#session, join(this.#kept, `${this.#views}.jsonl`));
  }

  /** Runs a command on the session; gives what it says of it. */
  async run(command: string, ...options: readonly string[]): Promise<readonly JsonObject[]> {
    rmSync(this.#out, { recursive: true, force: true });
    mkdirSync(this.#out);
    const argv = [command, 's.jsonl', ...options, '--json'];
    const world = { cwd: this.#store, home: this.#root, now: Date.now, createId: createIds() };
    const run = await runTest(argv, world);
    const isExpected = [NOTHING_SAID, PATH_CUT].some((text) => run.err.includes(text));
    const isRefused = run.exitCode > 1 && !isExpected;
    if (isRefused) throw new Error(`${argv.join(' ')}: ${run.exitCode}, ${run.err}`);
    const report: { results: readonly JsonObject[] } = JSON.parse(run.out);
    return report.results;
  }

  /** What a command has written to `--out out`, by name. */
  made(): readonly string[] {
    const names = readdirSync(this.#out, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => name.endsWith('.jsonl')).toSorted();
    return files.map((name) => readFileSync(join(this.#out, name), 'utf8'));
  }

  get outOption(): readonly string[] {
    return ['--out', this.#out];
  }

  async close(): Promise<void> {
    await this.reference.close();
    rmSync(this.#root, { recursive: true });
  }
}
