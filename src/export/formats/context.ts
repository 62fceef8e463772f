import { fileOf, type ExportDocument, type ExportFormat } from './format.ts';
import { stringify } from '../turns/stringify.ts';

/** The messages that the model is sent when the agent continues here, one per line. */
export const context: ExportFormat = {
  branches: 'file-each',
  isSelective: false,
  hasOwnGaps: true,
  redacts: false,
  images: ['drop'],
  createFile: fileOf('.jsonl', writeContext),
};

async function* writeContext(document: ExportDocument): AsyncGenerator<string> {
  for (const message of await document.sent()) yield `${stringify(message)}\n`;
}
