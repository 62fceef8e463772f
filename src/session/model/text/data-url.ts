const DATA_URL = /^data:([^;,]*);base64,/;
/** A data URL names its type at once. */
const MAX_PREFIX = 200;

/** What a data URL of base64 says: its type, and the rest without the prefix; undefined for other text. */
export function parseDataUrl(text: string): { mimeType: string; data: string } | undefined {
  const prefix = DATA_URL.exec(text.slice(0, MAX_PREFIX));
  return prefix ? { mimeType: prefix[1] ?? '', data: text.slice(prefix[0].length) } : undefined;
}
