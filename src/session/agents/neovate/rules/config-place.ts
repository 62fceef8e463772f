import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import { toPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { quote } from '../../../rules/wording.ts';
import { getConfigTitle, isConfig } from '../format.ts';
import { takeOutLater } from '../../../rules/take-out-later.ts';

/** Settings that are not where the agent writes them. */
export const configMisplaced: Rule = {
  id: 'config-misplaced',
  level: 'warning',
  fixable: false,
  summary: 'Neovate settings that are not on the first line',
  help:
    'Neovate writes the settings of a session first, and finds them anywhere, but its listing ' +
    'reads the title from the first line only. The next change of settings moves them there.',
  check(report) {
    let lines = 0;
    let isFirst = true;
    return {
      line(line, content) {
        if (line.length > 0) lines += 1;
        if (!isSettings(content)) return;
        if (isFirst && lines > 1) report(toPlace(line), 'the settings are not on the first line');
        isFirst = false;
      },
    };
  },
};

/** Settings that no longer count. */
export const configSeveral: Rule = {
  id: 'config-several',
  level: 'warning',
  fixable: true,
  summary: 'a second line of Neovate settings',
  help:
    'The first one counts; Neovate drops all others when it next writes its settings. Files that ' +
    'were concatenated look like this. `--fix` moves the others to the `.rejected` file.',
  check(report) {
    let isFirst = true;
    return {
      line(line, content) {
        if (!isSettings(content)) return;
        const title = getConfigTitle(content.value);
        const titled = title === undefined ? '' : `, with the title ${quote(title)}`;
        if (!isFirst) report(toPlace(line), `settings that do not count${titled}`);
        isFirst = false;
      },
    };
  },
  takesOut: takeOutLater(isConfig),
};

function isSettings(content: LineContent): content is Extract<LineContent, { kind: 'object' }> {
  return content.kind === 'object' && isConfig(content.value);
}
