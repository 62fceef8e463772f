import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { toPlace } from '../../../rules/place.ts';
import type { Place, Rule } from '../../../dialect/rule.ts';
import { isAnyHeader, isTitleSlot } from '../format.ts';
import { formatNumber } from '../../../model/text/numbers.ts';

/** Something that parses before the header, and is not the title of oh-my-pi on the first line. */
export const headerMisplaced: Rule = {
  id: 'header-misplaced',
  level: 'error',
  fixable: false,
  summary: 'a line that parses before the header',
  help:
    'pi refuses a file if its first line that parses is not the header. Move the header to the top. ' +
    'oh-my-pi, a relative of pi, writes a title on the first line, before the header: such a line is ' +
    'not reported, though pi refuses the file.',
  check(report) {
    let first: Place | undefined;
    let isDone = false;
    return {
      line(line, content) {
        if (isDone || !countsForPi(content) || isTitlePlace(line, content)) return;
        isDone = content.kind === 'object' && isAnyHeader(content.value);
        if (!isDone) first ??= toPlace(line);
        else if (first) {
          report(first, `is before the header, which is on line ${formatNumber(line.number)}`);
        }
      },
    };
  },
};

function isTitlePlace({ number }: Line, content: LineContent): boolean {
  return number === 1 && content.kind === 'object' && isTitleSlot(content.value);
}

/** pi skips null, false, 0 and "" as over what does not parse. */
function countsForPi(content: LineContent): boolean {
  return content.kind === 'object' || (content.kind === 'scalar' && Boolean(content.value));
}
