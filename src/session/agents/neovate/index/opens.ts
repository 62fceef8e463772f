import { hasBom, type LineContent } from '../../../jsonl/read/parse-line.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { Problem } from '../../../model/summary.ts';

/**
 * Finds out why Neovate would not open a file (0.17.1, `loadSessionMessages`): it parses every line
 * that is not empty, also white space and a byte order mark, and gives up at the first that fails.
 */
export class Opens {
  problem: Problem | undefined;

  visit(line: Line, content: LineContent): void {
    const code = findObstacle(line, content);
    if (code === undefined || this.problem) return;
    this.problem = {
      code,
      message: `line ${line.number} ${WORDS[code]}: Neovate does not open it`,
    };
  }
}

const WORDS = {
  'file-bom': 'begins with a byte order mark',
  'line-malformed': 'does not parse',
  'line-blank': 'holds nothing but white space',
  'line-oversized': 'is too long for any reader',
  'line-not-object': 'is null',
} as const;

/** The rule that a line breaks so that the agent gives up. */
function findObstacle(line: Line, content: LineContent): keyof typeof WORDS | undefined {
  if (hasBom(line)) return 'file-bom';
  switch (content.kind) {
    case 'malformed':
      return 'line-malformed';
    case 'oversized':
      return 'line-oversized';
    case 'blank':
      return line.length > 0 ? 'line-blank' : undefined;
    case 'scalar':
      // The agent asks any other value for its type, and finds none.
      return content.value === null ? 'line-not-object' : undefined;
    case 'object':
      return undefined;
  }
}
