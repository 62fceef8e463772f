import type { Line } from '../jsonl/read/line-splitter.ts';
import type { LineContent } from '../jsonl/read/parse-line.ts';
import type { LineProblem } from '../dialect/migration.ts';
import { getDamage } from '../rules/line-damage.ts';

/** Enough to see what is wrong; a broken file may have one on each of a million lines. */
const MAX_PROBLEMS = 50;

const DAMAGE = {
  glued: 'holds several records, and is kept; coppice validate --fix splits it',
  nul: 'holds NUL bytes, and is kept; coppice validate --fix removes them',
  torn: 'is cut off, and is kept',
  malformed: 'is not JSON, and is kept',
} as const;

/** Problems of one file, in file order. */
export class ProblemList {
  readonly list: LineProblem[] = [];
  #count = 0;

  add(line: Line, code: string, message: string): void {
    this.#count += 1;
    if (this.#count <= MAX_PROBLEMS)
      return void this.list.push({ line: line.number, code, message });
    const more = `and ${this.#count - MAX_PROBLEMS} more from here on`;
    this.list[MAX_PROBLEMS] = {
      line: this.list[MAX_PROBLEMS]?.line ?? line.number,
      code: 'more',
      message: more,
    };
  }

  addDamage(line: Line, content: LineContent): void {
    if (content.kind === 'oversized')
      return this.add(line, 'line-oversized', 'is too long to read');
    const damage = getDamage(line, content);
    if (damage) this.add(line, `line-${damage.kind}`, DAMAGE[damage.kind]);
  }
}
