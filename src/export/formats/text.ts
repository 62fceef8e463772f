import type { Block, Turn } from '../../session/model/text/conversation.ts';
import { replaceEach } from '../../session/model/text/hidden-characters.ts';
import { toIso } from '../../session/jsonl/edit/json.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { fileOf, type ExportDocument, type ExportFormat } from './format.ts';
import {
  getEnding,
  getSpeaker,
  getTitle,
  isWorthReading,
  toFact,
  toReadable,
} from '../turns/readable.ts';
import { stringify } from '../turns/stringify.ts';

/** Plain text, for reading in a terminal and for search. */
export const text: ExportFormat = {
  branches: 'file-each',
  isSelective: true,
  showsSubagents: true,
  redacts: false,
  images: ['drop', 'extract'],
  createFile: fileOf('.txt', writeText),
};

async function* writeText(document: ExportDocument): AsyncGenerator<string> {
  yield formatHead(document.summary);
  for await (const turn of document.turns()) if (isWorthReading(turn)) yield formatTurn(turn);
}

function formatHead(summary: SessionSummary): string {
  const title = getTitle(summary);
  const { id, cwd, created, models } = summary;
  const facts = [cwd, created, models.join(', '), `session ${id}`].filter(Boolean);
  return `${title}\n${'='.repeat(Math.min(title.length, 100))}\n${toReadable(facts.join('\n'))}\n`;
}

function formatTurn(turn: Turn): string {
  const facts = [
    toIso(turn.time),
    turn.role === 'assistant' ? toFact(turn.model ?? '') : '',
    turn.label === undefined ? '' : `label: ${toFact(turn.label)}`,
  ];
  const about = facts.filter(Boolean).join(' · ');
  const head = `--- ${getSpeaker(turn)}${about && ` · ${about}`}`.replace(/\s+/g, ' ');
  const body = [
    turn.role === 'bash' ? `$ ${turn.command}` : undefined,
    turn.role === 'note' ? turn.note : undefined,
    ...turn.blocks.map(formatBlock),
    getEnding(turn),
  ];
  return `\n${toReadable([head, ...body.filter(Boolean)].join('\n'))}\n`;
}

function formatBlock(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'thinking':
      return block.redacted ? '(thinking kept by the provider)' : indent(block.text, '  | ');
    case 'image':
      return `[image: ${block.path ?? block.mimeType}]`;
    case 'toolCall':
      return `> ${block.name} ${stringify(block.arguments)}`;
  }
}

function indent(lines: string, by: string): string {
  return by + replaceEach(lines, /\n/g, `\n${by}`);
}
