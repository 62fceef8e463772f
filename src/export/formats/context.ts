import { createSingleFile, type ExportDocument, type ExportFormat } from './format.ts';
import { stringify } from '../turns/stringify.ts';

/** What the model is sent when the agent goes on from here: one message a line. */
export const context: ExportFormat = {
  isText: true,
  branches: 'file-each',
  isSelective: false,
  hasOwnGaps: true,
  redacts: false,
  images: ['drop'],
  createParts: createSingleFile('.jsonl', writeContext),
};

async function* writeContext(document: ExportDocument): AsyncGenerator<string> {
  for (const message of await document.sent()) yield `${stringify(message)}\n`;
}
