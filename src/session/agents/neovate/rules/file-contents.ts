import { START_OF_FILE } from '../../../rules/place.ts';
import type { CheckedSession, Rule } from '../../../dialect/rule.ts';

/** Settings that were never written. */
export const configMissing: Rule = {
  id: 'config-missing',
  level: 'info',
  fixable: false,
  summary: 'a Neovate session without settings',
  help:
    'Neovate writes settings once there is something to remember: a title, an approval, pasted ' +
    'text. Quiet mode never writes any, and the agent works without. Worth knowing if a title is ' +
    'missing.',
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
    'The user pasted or set something, and sent nothing. The session can be resumed, but holds ' +
    'only settings: remove it, with `coppice prune --empty` or by hand.',
  check: (report) => ({
    session(checked) {
      if (!hasMessages(checked)) report(START_OF_FILE, 'holds no messages');
    },
  }),
};

function hasMessages({ session }: CheckedSession): boolean {
  return session.entries.some(({ aside }) => !aside);
}
