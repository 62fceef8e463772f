import type { Block, Turn } from '../../../session/model/text/conversation.ts';
import { toIso } from '../../../session/jsonl/edit/json.ts';
import type { SessionSummary } from '../../../session/model/summary.ts';
import { fileOf, type ExportDocument, type ExportFormat } from '../format.ts';
import {
  getEnding,
  getSpeaker,
  getTitle,
  isWorthReading,
  toReadable,
} from '../../turns/readable.ts';
import { stringify } from '../../turns/stringify.ts';
import { containMarkdown, fence } from './contain.ts';

/** Markdown with YAML front matter, as notebooks and wikis read it. */
export const markdown: ExportFormat = {
  branches: 'file-each',
  isSelective: true,
  showsSubagents: true,
  redacts: false,
  images: ['extract', 'inline', 'drop'],
  createFile: fileOf('.md', writeMarkdown),
};

async function* writeMarkdown(document: ExportDocument): AsyncGenerator<string> {
  const { summary } = document;
  yield `${formatFrontMatter(summary)}\n# ${toHeading(getTitle(summary))}\n`;
  for await (const turn of document.turns()) {
    if (isWorthReading(turn)) yield `\n${formatTurn(turn)}\n`;
  }
}

/** JSON strings are YAML strings; without HTML, as a reader who knows no front matter takes it for. */
function formatFrontMatter(summary: SessionSummary): string {
  const { id, created, cwd, models, usage, agent } = summary;
  const facts = {
    title: getTitle(summary),
    id,
    date: created,
    agent,
    cwd,
    model: models.join(', '),
    tokens: usage?.totalTokens ?? 0,
    ...(usage && usage.cost > 0 && { cost: usage.cost }),
  };
  const lines = Object.entries(facts).map(
    ([key, value]) => `${key}: ${escapeMarks(stringify(value))}`,
  );
  return `---\n${lines.join('\n')}\n---\n`;
}

function escapeMarks(json: string): string {
  return json.replace(/[<&]/g, (mark) => (mark === '<' ? '\\u003c' : '\\u0026'));
}

function formatTurn(turn: Turn): string {
  const label = turn.label === undefined ? '' : ` — ${turn.label}`;
  const time = toIso(turn.time);
  const about = [time, turn.role === 'assistant' ? turn.model : undefined].filter(Boolean);
  if (turn.role === 'note') return `*${toInline(turn.note)}*`;
  if (turn.role === 'toolResult') {
    const body = turn.blocks.map((block) => formatBlock(block, true)).join('\n\n');
    return fold(getSpeaker(turn), body);
  }
  const parts = [
    `## ${toHeading(`${getSpeaker(turn)}${label}`)}`,
    about.length > 0 ? `*${toInline(about.join(' · '))}*` : '',
    turn.role === 'bash' ? fence(toReadable(`$ ${turn.command}`), 'console') : '',
    ...turn.blocks.map((block) => formatBlock(block, turn.role === 'bash')),
    `*${toInline(getEnding(turn) ?? '')}*`,
  ];
  return parts.filter((part) => part !== '' && part !== '**').join('\n\n');
}

/** `isOutput`: text that a program printed, and no one wrote as Markdown. */
function formatBlock(block: Block, isOutput: boolean): string {
  switch (block.type) {
    case 'text': {
      const readable = toReadable(block.text);
      return isOutput ? fence(readable) : containMarkdown(readable);
    }
    case 'thinking':
      return block.redacted
        ? '*(thinking kept by the provider)*'
        : fold('Thinking', fence(toReadable(block.text)));
    case 'image': {
      const target = block.path ?? `data:${block.mimeType};base64,${block.data}`;
      return `![image](<${target}>)`;
    }
    case 'toolCall':
      return `**${toInline(block.name)}**\n\n${fence(stringify(block.arguments, 2), 'json')}`;
  }
}

function fold(title: string, body: string): string {
  return `<details>\n<summary>${toInline(title)}</summary>\n\n${body}\n\n</details>`;
}

function toHeading(text: string): string {
  return toInline(text).trim();
}

/** Longer lines are nothing to read, and a hostile one may be as long as a file. */
const MAX_INLINE = 20_000;

/** One line that means nothing to Markdown or HTML. */
function toInline(text: string): string {
  const shown = text.length > MAX_INLINE ? `${text.slice(0, MAX_INLINE - 1)}…` : text;
  return toReadable(shown)
    .replace(/\s+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_[\]#]/g, '\\$&');
}
