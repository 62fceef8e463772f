import type { Cut } from './join-places.ts';
import type { Range } from './text/view.ts';

/** A longer one is a document, whose parts no program reads as JSON. */
const MAX_JSON = 1_000_000;
export const LIKE_JSON = /^\s{0,20}[{[]/;
/** A sign between two values, or the beginning of a string. */
const BETWEEN = /[\s"[\]{},:]/;

/**
 * Takes parts out of a text so that what was JSON, such as the arguments of Codex's calls, is JSON again:
 * a part may be a number, or begin or end within an escape. Then whole values are taken out.
 */
export function cutFromText(text: string, cuts: readonly Cut[]): string {
  const safe = cutParts(text, cuts);
  const mayBreak = cuts.length > 0 && text.length <= MAX_JSON && LIKE_JSON.test(text);
  return mayBreak && isJson(text) && !isJson(safe) ? cutTokens(text, cuts) : safe;
}

function cutParts(text: string, cuts: readonly Cut[]): string {
  let safe = '';
  let done = 0;
  for (const { start, end, secret } of cuts) {
    safe += `${text.slice(done, start)}[REDACTED:${secret.rule}]`;
    done = end;
  }
  return safe + text.slice(done);
}

/** Nothing between the values of a JSON text is a secret. */
function cutTokens(text: string, cuts: readonly Cut[]): string {
  const parts: string[] = [];
  let done = 0;
  let next = 0;
  for (const { start, end } of listTokens(text)) {
    while ((cuts[next]?.end ?? Infinity) <= start) next += 1;
    const token = text.slice(start, end);
    const safe = cutToken(token, start, cuts, next);
    parts.push(text.slice(done, start), safe);
    done = end;
  }
  return parts.join('') + text.slice(done);
}

/** Takes the cuts from one on out of a token: out of its text if it is a string, or else all of it. */
function cutToken(token: string, start: number, cuts: readonly Cut[], first: number): string {
  const quote = token.startsWith('"') ? 1 : 0;
  const inside: Cut[] = [];
  for (let at = first; (cuts[at]?.start ?? Infinity) < start + token.length; at += 1) {
    const cut = cuts[at];
    const from = Math.max(quote, (cut?.start ?? 0) - start);
    const to = Math.min(token.length - quote, (cut?.end ?? 0) - start);
    if (cut && from < to) inside.push({ start: from, end: to, secret: cut.secret });
  }
  const [cut] = inside;
  if (!cut) return token;
  const safe = quote === 1 ? cutParts(token, inside) : '';
  return isJson(safe) ? safe : `"[REDACTED:${cut.secret.rule}]"`;
}

/** The strings and other values of a JSON text. */
export function* listTokens(text: string): Generator<Range> {
  for (let at = 0; at < text.length;) {
    const start = at;
    if (text[at] === '"') {
      at += 1;
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
      at += 1;
    } else while (at < text.length && !BETWEEN.test(text.charAt(at))) at += 1;
    if (at > start) yield { start, end: at };
    else at += 1;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
