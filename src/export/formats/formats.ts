import type { ExportFormat } from './format.ts';

/** Every format that makes documents of sessions, by its name; each is loaded when it is used. */
const LOADERS = {
  md: async () => (await import('./markdown/markdown.ts')).markdown,
  html: async () => (await import('./html/html.ts')).html,
  text: async () => (await import('./text.ts')).text,
  json: async () => (await import('./json.ts')).json,
  jsonl: async () => (await import('./jsonl.ts')).jsonl,
  context: async () => (await import('./context.ts')).context,
  chat: async () => (await import('./chat.ts')).chat,
  atif: async () => (await import('./atif.ts')).atif,
  sts: async () => (await import('./sts.ts')).sts,
} as const satisfies Record<string, () => Promise<ExportFormat>>;

export type FormatName = keyof typeof LOADERS;

export const FORMAT_NAMES = Object.keys(LOADERS).filter(
  (name): name is FormatName => name in LOADERS,
);

export function loadFormat(name: FormatName): Promise<ExportFormat> {
  return LOADERS[name]();
}
