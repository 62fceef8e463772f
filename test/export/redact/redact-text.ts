import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { getString } from '../../../src/session/jsonl/edit/json.ts';

/** A value of each shape that says little of itself: hexadecimal, a word with a number and a sign, letters and digits. */
export const VALUES: readonly string[] = [
  '3f786850e387550fdab836ed7e6dc881',
  'Sommer77!',
  'wkBN72raYD19xc',
];

/** A text without the secrets that are found in it. */
export async function redact(text: string): Promise<string> {
  const safe = await new Redactor(detectSecrets, []).redact({ text }, 1);
  return getString(safe, 'text') ?? '';
}

/** A text as JSON, without the secrets that are found in it. */
export async function redactText(text: string): Promise<string> {
  return JSON.stringify(await new Redactor(detectSecrets, []).redact({ text }, 1));
}

/** The same of a text with a line before it, and one behind. */
export function redactBetween(text: string): Promise<string> {
  return redactText(`see\n${text}\nthere`);
}
