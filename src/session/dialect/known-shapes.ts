import type { LineContent } from '../jsonl/read/parse-line.ts';
import type { Line, LineSkimmer, SkimmedLines } from '../jsonl/read/line-splitter.ts';
import type { Entry } from '../model/entry.ts';
import type { RuleLevels } from './levels.ts';

/**
 * Takes lines without parsing them, because a line of the same shape was parsed and nothing was wrong with
 * it. For an agent with a scanner of its own (docs/architecture.md, "Lines that are not parsed").
 */
export interface KnownShapes {
  /** Takes the lines of shapes that were learned at these levels: they decide whether a line is faultless. */
  skim(
    levels: RuleLevels,
    visit: (unparsed: UnparsedEntry) => void,
    ...slice: Parameters<LineSkimmer>
  ): SkimmedLines;
  /** Learns the shape of a line that was parsed, once every rule has seen it. */
  learn(line: Line, content: LineContent, isFaultless: boolean): void;
}

/** The facts about an entry whose line was not parsed; a null parent is one that the line states. */
export interface UnparsedEntry {
  readonly entry: Entry;
  /** The calls of tools that the model would see. */
  readonly calls: readonly { readonly id: string; readonly name: string }[];
  /** The id of the call that it answers. */
  readonly resultOf: string | undefined;
}
