import { toPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { getMessage } from '../format.ts';
import { checkEntries } from './entry-lines.ts';

/** The roles of messages that pi reads as empty; another rule demands the content of those of extensions. */
const WITH_CONTENT: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'toolResult']);
const LISTED: ReadonlySet<unknown> = new Set(['user', 'assistant']);

/** A message with null for its content, or with none. */
export const messageContentMissing: Rule = {
  id: 'message-content-missing',
  level: 'warning',
  fixable: false,
  summary: 'a message without content',
  help:
    'The content is read as empty. But if it is null in a user or assistant message, current ' +
    'releases of pi leave the whole session out of their list; it can still be opened by its ' +
    'path. Write `[]` there in an editor.',
  check: (report, { framing }) => ({
    line: checkEntries(framing, (entry, line) => {
      const isCustom = entry['type'] === 'custom_message';
      const message = isCustom ? entry : getMessage(entry);
      if (!message || (message['content'] ?? undefined) !== undefined) return;
      const { role } = message;
      if (!isCustom && !WITH_CONTENT.has(role)) return;
      const isUnlisted = LISTED.has(role) && message['content'] === null;
      const effect = isUnlisted ? ': pi leaves the session out of its list' : '';
      report(toPlace(line, entry), `the message has no content${effect}`);
    }),
  }),
};
