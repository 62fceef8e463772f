import { fileOf, type ExportFormat } from './format.ts';

/** The session as its agent would write it today, without what other branches hold. */
export const jsonl: ExportFormat = {
  branches: 'one-file',
  isSelective: false,
  redacts: false,
  images: ['inline'],
  createFile: fileOf('.jsonl', (document) => document.lines()),
};
