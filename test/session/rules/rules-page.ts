import { dialects } from '../../../src/session/agents/index.ts';
import { emptyFile } from '../../../src/session/rules/file-empty.ts';
import type { Rule } from '../../../src/session/dialect/rule.ts';

const INTRO = `# Rules of \`coppice validate\`

<!-- Made from the rules themselves; \`npx vitest run --project unit rules-page -u\` writes it again. -->

Each finding names the rule that it comes from. A rule has a level:

- **error**: data that no release of the agent writes, that the agent loses, or on which it fails;
- **warning**: data that the agent reads differently than intended, while the session works;
- **info**: unusual, and worth knowing if something else looks wrong.

\`--rule <id>=off|info|warning|error\` sets another level, and can be repeated. Errors make the exit code 1, and so do more warnings than \`--max-warnings\` allows.

One fault is one finding where possible: a torn line is not reported as malformed, too. The effects of a fault elsewhere in the file are reported there: the entry on a line that cannot be read is missing, so its children are orphans.

## What \`--fix\` does

It makes the repairs that lose no byte, for the rules marked below that are not off. Whole records are kept, byte for byte. All other removed bytes are written to \`<file>.rejected\` beside the session, before the session is replaced: one JSON object a line, \`{path, line, byteOffset, rule, time}\` and the bytes as \`text\`, or as \`base64\` if they are not UTF-8. \`--fix-dry-run\` previews it and writes nothing.

Never repaired: files of an unknown version, sessions that are one JSON array, and files that change meanwhile. In a session of version 1 whose compaction counts lines, coppice makes repairs that would change the count only once it is migrated.

Sessions of pi, Neovate and Codex continue at their last line, which a repair gives back, unless the line that it follows is torn. Lines of Claude Code name the entry at which it continues, and one that cannot be read today may be outdated. If a repair would leave the agent less of the conversation to send, the line is left, and the report names it. After \`--fix\`, no finding counts as repairable that it has left.

## All rules
`;

/** The level, and that for agents to which the same means less or more. */
function toLevels({ id, level }: Rule): string {
  const others = dialects.flatMap(({ agent, levels }) => {
    const own = levels?.get(id);
    return own === undefined ? [] : ` (${own} for ${agent})`;
  });
  return level + others.join('');
}

function toSection(rule: Rule): string {
  const { id, fixable, summary, help } = rule;
  const fix = fixable ? ', repaired by `--fix`' : '';
  return `## ${id}\n\n${toLevels(rule)}${fix} — ${summary}.\n\n${help}\n`;
}

function toTable(rules: readonly Rule[]): string {
  const rows = rules.map((rule) => [
    `[\`${rule.id}\`](#${rule.id})`,
    rule.level,
    rule.fixable ? 'yes' : '',
    rule.summary,
  ]);
  const lines = [['Rule', 'Level', '`--fix`', 'Finds'], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  const toLine = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  const [head = [], ...body] = lines.map(toLine);
  return [head, toLine(widths.map((width) => '-'.repeat(width))), ...body].join('');
}

/** The page of all rules of all agents, in Markdown. */
export function buildRulesPage(): string {
  const byId = new Map(
    [emptyFile, ...dialects.flatMap(({ rules }) => rules)].map((rule) => [rule.id, rule]),
  );
  const rules = [...byId.values()];
  return [INTRO, toTable(rules), ...rules.map(toSection)].join('\n');
}
