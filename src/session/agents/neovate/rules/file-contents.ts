import { START_OF_FILE } from '../../../rules/place.ts';
import type { CheckedSession, Rule } from '../../../dialect/rule.ts';

/** Settings that were never written. */
export const configMissing: Rule = {
  id: 'config-missing',
  level: 'info',
  fixable: false,
  summary: 'a Neovate session without settings',
  help:
    'Settings are written once there is something to remember: a title, an approval, pasted text. ' +
    'Quiet mode never writes any, and the agent does without. Worth knowing where a title is missed.',
  check: (report) => ({
    session(checked) {
      const hasConfig = checked.session.entries.some(({ type }) => type === 'config');
      if (!hasConfig && hasMessages(checked)) report(START_OF_FILE, 'has no settings');
    },
  }),
};

/** Nothing was ever said. */
export const messagesMissing: Rule = {
  id: 'messages-missing',
  level: 'warning',
  fixable: false,
  summary: 'a Neovate session without messages',
  help:
    'Something was pasted or set, and nothing sent. The session can be resumed, and holds nothing ' +
    'but its settings: remove it, with `coppice prune --empty` or by hand.',
  check: (report) => ({
    session(checked) {
      if (!hasMessages(checked)) report(START_OF_FILE, 'holds no messages');
    },
  }),
};

function hasMessages({ session }: CheckedSession): boolean {
  return session.entries.some(({ aside }) => !aside);
}
