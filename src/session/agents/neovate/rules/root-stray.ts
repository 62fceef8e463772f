import type { Rule } from '../../../dialect/rule.ts';
import { checkRelations } from '../../../rules/relations.ts';
import { isAnswer } from './path-start.ts';

/** A root that no one meant to be one. */
export const rootStray: Rule = {
  id: 'root-stray',
  level: 'warning',
  fixable: false,
  summary: 'a Neovate message that begins a new path in the middle of a session',
  help:
    'Only the first message and a summary begin a path. Neovate makes another root by accident: ' +
    'if the last line before `!command` was not a message, or after an automatic compaction up to ' +
    '0.17.1. The model does not know what came before. To repair it, give the message the uuid of ' +
    'the one before it as `parentUuid`.',
  check: (report) => ({
    session: checkRelations(({ session, path }) => {
      const messages = session.entries.filter(({ aside }) => !aside);
      for (const entry of messages.slice(1)) {
        const isRoot = entry.parentId === null && entry.type === 'message';
        // Another rule reports a current path that begins with an answer.
        if (!isRoot || (entry === path[0] && isAnswer(entry))) continue;
        report(entry, 'is a root, but neither the first message nor a summary');
      }
    }),
  }),
};
