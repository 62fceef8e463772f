import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import { toPlace } from '../../../rules/place.ts';
import type { Place, Rule } from '../../../dialect/rule.ts';
import { isAnyHeader } from '../format.ts';
import { formatNumber } from '../../../model/text/numbers.ts';

/** Something that parses before the header, such as the title line of oh-my-pi. */
export const headerMisplaced: Rule = {
  id: 'header-misplaced',
  level: 'error',
  fixable: false,
  summary: 'a line that parses before the header',
  help:
    'pi refuses a file if its first line that parses is not the header. oh-my-pi, a relative of ' +
    'pi, writes a title line first, and reads it; pi does not. To open the session with pi, move ' +
    'the header to the top.',
  check(report) {
    let first: Place | undefined;
    let isDone = false;
    return {
      line(line, content) {
        if (isDone || !countsForPi(content)) return;
        isDone = content.kind === 'object' && isAnyHeader(content.value);
        if (!isDone) first ??= toPlace(line);
        else if (first) {
          report(first, `is before the header, which is on line ${formatNumber(line.number)}`);
        }
      },
    };
  },
};

/** pi skips null, false, 0 and "" as over what does not parse. */
function countsForPi(content: LineContent): boolean {
  return content.kind === 'object' || (content.kind === 'scalar' && Boolean(content.value));
}
