import { describe, expect, it } from 'vitest';
import { dialects } from '../../../src/session/agents/index.ts';
import { emptyFile } from '../../../src/session/rules/file-empty.ts';
import { buildRulesPage } from './rules-page.ts';

const rules = [emptyFile, ...dialects.flatMap((dialect) => dialect.rules)];

describe('docs/rules.md', () => {
  it('says of every rule what the rule says of itself', async () => {
    await expect(buildRulesPage()).toMatchFileSnapshot('../../../docs/rules.md');
  });
});

describe('a rule', () => {
  it.each(rules)(
    '$id has a name for the command line, a one-line summary and some help',
    (rule) => {
      expect(rule.id).toMatch(/^[a-z]+[0-9]?(-[a-z]+[0-9]?)+$/);
      expect(rule.summary).toMatch(/^[^\n.]{5,100}$/);
      expect(rule.help).toMatch(/^[^\n]{80,600}\.$/);
    },
  );

  it('has an id of its own within each dialect', () => {
    for (const dialect of dialects) {
      const ids = dialect.rules.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});
