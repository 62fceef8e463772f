import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { getText } from './typed.ts';

const CWD = /<cwd>([^<]{1,4096})<\/cwd>/;
// Releases before 0.30 or so said it in words.
const CWD_IN_WORDS = /Current working directory: ([^\n]{1,4096})/;

/** The working directory, which the client sent to the model with its surroundings in a message. */
export function readCwd(item: JsonObject): string | undefined {
  if (item['type'] !== 'message') return undefined;
  const text = getText(item);
  if (!text.includes('<environment_context>')) return undefined;
  return (CWD.exec(text) ?? CWD_IN_WORDS.exec(text))?.[1]?.trim();
}
