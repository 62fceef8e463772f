import { toPlainText } from './escape.ts';

/** Formats an error that coppice does not expect. Names in its message may come from files. */
export function formatBug(error: unknown): string {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `coppice: this is a bug, please report it\n${toPlainText(trace)}\n`;
}
