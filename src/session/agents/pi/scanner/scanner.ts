import { getWindow, loadProgram, type Window } from '../../../jsonl/scanner/window.ts';
import type { Entry } from '../../../model/entry.ts';
import { code } from './assembly.base64';
import type { RuleLevels } from '../../../dialect/levels.ts';

/** A global of the module; its value may change with each call. */
interface Global {
  readonly value: number;
}

/** The exports of `assembly/`: places in its memory, and functions. */
export interface ScannerExports {
  readonly RECORDS: Global;
  readonly NAMES: Global;
  readonly MAX_NAMES: Global;
  readonly namesStart: Global;
  readonly namesEnd: Global;
  setNames(length: number): void;
  skim(from: number, end: number, parsesUser: number, isChecked: number, kept: number): number;
  readonly answersEnd: Global;
  readonly messages: Global;
  readonly userMessages: Global;
  readonly notes: Global;
  readonly answers: Global;
  readonly lastTime: Global;
  readonly lastWritten: Global;
  readonly marksEnd: Global;
  beginLine(): void;
  isSound(start: number, end: number): number;
  endsOutside(): number;
  canPassOver(start: number, end: number): number;
  readonly TEXTS: Global;
  readonly scannedTo: Global;
  readonly ending: Global;
  readonly textsEnd: Global;
  readonly shape: Global;
  scan(from: number, end: number): number;
  readonly messageTime: Global;
  look(start: number, end: number): number;
  learn(verdict: number): number;
  forget(): void;
}

let known: { readonly scanner: Scanner | undefined } | undefined;

/**
 * Returns the scanner of this thread; undefined where there is no WebAssembly (`node --jitless`), or a
 * processor without what it needs: then every line is parsed.
 */
export function getScanner(): Scanner | undefined {
  known ??= { scanner: loadScanner() };
  return known.scanner;
}

function loadScanner(): Scanner | undefined {
  const exports = loadProgram(code);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what its source says
  return exports && new Scanner(exports as unknown as ScannerExports);
}

/** The purpose for which lines are accepted: that rules find nothing at these levels, or that none has to change. */
type Purpose = RuleLevels | 'migration';

/** The WebAssembly module that looks at lines of pi. */
export class Scanner {
  readonly exports: ScannerExports;
  readonly window: Window = getWindow();
  /** The kinds of lines by the number of their shape. */
  readonly kinds: Pick<Entry, 'type' | 'role'>[] = [];
  /** Whether lines of a shape are activity, by the number of the shape. */
  readonly areActivity: boolean[] = [];
  /** The `provider/model` whose bytes the module has as names. */
  model = '';
  /** The purpose for which shapes were learned. */
  #purpose: Purpose | undefined;

  constructor(exports: ScannerExports) {
    this.exports = exports;
  }

  /** Forgets shapes that were learned for another purpose. */
  learnFor(purpose: Purpose): void {
    if (purpose !== this.#purpose) this.exports.forget();
    this.#purpose = purpose;
  }
}
