import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { parseBashInput, parseBashOutput } from '../entry/bash-text.ts';
import { readUsage } from '../entry/entry-usage.ts';
import { getToolOutcomes } from '../entry/parts.ts';

const DIRECTORY = /^Directory: (\/.*)$/m;
/** A tool names its directory at the beginning of its output. */
const MAX_SCANNED = 10_000;

/** The facts about all lines that are needed before the first can be written. By offset. */
export class LineFacts {
  /** Commands that a person typed, and what came of them. */
  readonly typed = new Set<number>();
  readonly ran = new Set<number>();
  /** The tokens that answers reported. */
  readonly tokens = new Map<number, number>();
  cwdHint: string | undefined;

  visit(message: JsonObject, offset: number): void {
    const content = getString(message, 'content');
    if (message['role'] === 'user' && content !== undefined) {
      if (parseBashInput(content) !== undefined) this.typed.add(offset);
      const output = parseBashOutput(content);
      if (output && output.command !== '') this.ran.add(offset);
      if (output) this.#scan(content);
    }
    for (const { content: text } of getToolOutcomes(message)) {
      if (typeof text === 'string') this.#scan(text);
    }
    const tokens = message['role'] === 'assistant' ? readUsage(message)?.totalTokens : undefined;
    if (tokens) this.tokens.set(offset, tokens);
  }

  #scan(text: string): void {
    this.cwdHint ??= DIRECTORY.exec(text.slice(0, MAX_SCANNED))?.[1];
  }
}
