import type { Entry } from '../../../model/entry.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { checkRelations } from '../../../rules/relations.ts';

/** The current path begins with an answer to something that is not on it. */
export const pathStart: Rule = {
  id: 'path-start',
  level: 'warning',
  fixable: false,
  summary: 'a current path that begins with an answer',
  help:
    'The model is sent an answer without its prompt, which some providers refuse. Automatic ' +
    'compaction up to 0.17.1 leaves such a path: the summary and the prompt are on a branch of ' +
    'their own. To bring the summary back, give the answer its uuid as `parentUuid`.',
  check: (report) => ({
    session: checkRelations(({ path: [first] }) => {
      if (first?.parentId !== null || !isAnswer(first)) return;
      report(first, 'the current path begins with this answer');
    }),
  }),
};

export function isAnswer({ role }: Entry): boolean {
  return role === 'assistant' || role === 'tool';
}
