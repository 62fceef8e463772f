import type { ExportFormat } from './format.ts';

/** Every format by its name; each is loaded when it is used. */
const LOADERS = {
  md: async () => (await import('./markdown/markdown.ts')).markdown,
  html: async () => (await import('./html/html.ts')).html,
  text: async () => (await import('./text.ts')).text,
  json: async () => (await import('./json.ts')).json,
  jsonl: async () => (await import('./jsonl.ts')).jsonl,
  chat: async () => (await import('./chat.ts')).chat,
  atif: async () => (await import('./atif.ts')).atif,
  sts: async () => (await import('./sts.ts')).sts,
  parquet: async () => (await import('./parquet/parquet.ts')).parquet,
} as const satisfies Record<string, () => Promise<ExportFormat>>;

export const FORMAT_NAMES = ['md', 'html', 'text', 'json', 'jsonl', 'chat', 'atif', 'sts', 'parquet'] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];

export function loadFormat(name: FormatName): Promise<ExportFormat> {
  return LOADERS[name]();
}
