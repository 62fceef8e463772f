import { getString } from '../../../jsonl/edit/json.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { toSessionId } from '../format.ts';
import { checkMessages } from './message-lines.ts';
import { formatCounted } from '../../../model/text/numbers.ts';
import { countPlace, type PlaceCounts, toUuidPlace } from '../../../rules/place.ts';

/** Lines of one session in the file of another. */
export const placeSessionId: Rule = {
  id: 'place-session-id',
  level: 'warning',
  fixable: false,
  isAboutPath: true,
  summary: "Neovate messages that name another session than the file's name",
  help:
    'For Neovate, the name of the file identifies the session; the id on each line is for ' +
    'readers. They differ if the file was renamed or copied by hand, or if the session was ' +
    'resumed by its path, which Neovate then writes instead of the id. Nothing breaks.',
  check(report) {
    const others: PlaceCounts = new Map();
    return {
      line: checkMessages((message, line) => {
        const id = getString(message, 'sessionId') ?? '';
        countPlace(others, id, toUuidPlace(line, message));
      }),
      session({ session: { path } }) {
        others.delete(toSessionId(path));
        for (const [id, { place, count }] of others) {
          const what = id === '' ? 'name no session' : `name the session ${quote(id)}`;
          report(place, `${formatCounted(count, 'message')} from here on ${what}`);
        }
      },
    };
  },
};
