import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../../session/jsonl/edit/json.ts';
import { fold } from '../text/fold.ts';
import { resolveEscapes } from '../text/escapes.ts';
import { listPutTogether } from '../text/read-as.ts';
import { removeUnseen } from '../text/unseen.ts';
import { isLikeSecret } from './values.ts';

/** Shorter ones, and plain words, would be found all over the text; longer ones are documents. */
const [MIN_MEMORABLE, MIN_PLAIN, MAX_MEMORABLE] = [8, 14, 512];
/** A shorter reading of a secret would be found in ordinary words. */
const MIN_OTHER = 4;
/** The longest name of a directory. */
const MAX_FOLDER = 255;
/** The end of a word in base64. */
const PADDING = /(?<=[\w+/]{8})={1,2}$/;
const ENCODED = /^[\w+/-]{11,512}={0,2}$/;
const HEXADECIMAL = /^(?:0x|\\{1,2}x)?((?:[\da-f]{2}){8,256})$/i;
/** The end of a file of a secret, or of what `echo` prints, that was encoded as well. */
const LINE_END = /\r?\n$/;
/** The users before a password of mail: `\0bob\0`. */
// oxlint-disable-next-line no-control-regex
const USER_OF_MAIL = /^[^\0]{0,100}\0[^\0]{1,100}\0/;
/** A quote or a backslash in a string of a program. */
const ESCAPED_SIGN = /\\(["'`\\])/g;
const PRINTABLE = /^\P{C}{8,}$/u;
/** A quote in a string of a shell, also in JSON. */
const QUOTE_OF_SHELL = /'(?:\\{1,2}'|"'")'/g;

/** Lists a secret as it is, and in the signs that a reading has it in. */
export function listReadings(secret: string): readonly string[] {
  const others = [
    // The end of base64 may be a mark of a wrapped line.
    secret.replace(PADDING, ''),
    // The password of an app, whose blanks are only for the eye.
    secret.replaceAll(' ', ''),
    ...listEscaped(secret),
    ...listQuoted(secret),
    ...listDoubled(secret),
    ...listInFolders(secret),
    ...listPutTogether(secret),
  ];
  // A reading that resolves escapes has plain signs, and none that no one sees, whatever else it shows.
  const plain = [secret, ...others].flatMap((one) => [fold(one), fold(removeUnseen(one))]);
  return [secret, ...[...others, ...plain].filter((one) => one.trim().length >= MIN_OTHER)];
}

export function isMemorable(value: string): boolean {
  if (value.length < MIN_MEMORABLE || value.length > MAX_MEMORABLE) return false;
  return value.length >= MIN_PLAIN || /[^a-z]/.test(value);
}

/** The parts of a secret that others may show by themselves: the values of cookies, what base64 stands for. */
export function listParts(value: string, rule: string): readonly string[] {
  if (rule === 'cookie') {
    const values = value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1));
    return values.filter((one) => one !== value && isLikeSecretWithin(one));
  }
  const text = decode(value)?.replace(LINE_END, '').replace(USER_OF_MAIL, '');
  if (text === undefined || !PRINTABLE.test(text)) return [];
  return [text, text.replace(/^[\w.@-]{1,60}:/, '')].filter(isLikeSecretWithin);
}

/** Decodes a value in base64 or hexadecimal. */
function decode(value: string): string | undefined {
  const [, hexadecimal] = HEXADECIMAL.exec(value) ?? [];
  if (hexadecimal === undefined && !ENCODED.test(value)) return undefined;
  const bytes = Buffer.from(hexadecimal ?? value, hexadecimal === undefined ? 'base64' : 'hex');
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

/** Returns whether a part of a secret is like one, whatever backslashes it holds, which elsewhere are those of a path. */
function isLikeSecretWithin(part: string): boolean {
  return isLikeSecret(part) || (part.includes('\\') && isLikeSecret(part.replaceAll('\\', '')));
}

/**
 * A sign that may end what a value stands in: a sentence, a list, quotes, code, a remark; or a link or an element; or
 * the end of a line and other controls, as `git diff` and `cat -v` (`^M`), mail and spreadsheets show them.
 */
const SIGN_AT_END =
  /(?:\]\([^()\s]{0,200}\)?|<\/?[a-z]{1,10} ?\/?>|\^[@-_]|\[\d?K|(?:=0D)?=0A|_x000[AD]_|[^\p{L}\p{N}])$/u;
const MAX_SIGNS = 10;
/** A value, if what follows is another word of a shell, a list, or a sentence, also of a language without blanks. */
const FIRST_WORD =
  /^[^\s"'\u0060;|&<>(),\u00b7\u060c\u061b\u061f\u06d4\u0964\u0e00-\u0e7f\u2013-\u2027\u2190-\u2bff\u3000-\u9fff\uac00-\udbff\uff01-\uffee]{8,}/;

/** Signs before a value, which those at its end may belong to. */
const SIGNS_AT_START = /^[^\p{L}\p{N}]{1,4}/u;

/**
 * Lists what a value is if its ends belong to the text that it stands in: without the last of its signs, without the
 * last two, and so on, without all from its first on, and each without those before it. Each looks like a secret itself.
 */
export function listShorter(value: string): readonly string[] {
  if (value.length > MAX_MEMORABLE) return [];
  const inner = value.replace(SIGNS_AT_START, '');
  const shorter = [...listBeginnings(value), ...(inner === value ? [] : listBeginnings(inner))];
  return shorter.filter((one) => one !== value && isLikeSecretWithin(one));
}

function listBeginnings(value: string): readonly string[] {
  const [first = ''] = FIRST_WORD.exec(value) ?? [];
  const shorter = [value, first];
  for (let rest = value; shorter.length < MAX_SIGNS;) {
    const less = rest.replace(SIGN_AT_END, '');
    if (less === rest) break;
    shorter.push(less);
    rest = less;
  }
  return shorter;
}

/** A secret that seems to hold escapes, as it is in JSON, and as a reading shows it that resolves all. */
function listEscaped(secret: string): readonly string[] {
  const resolved = resolveEscapes(secret);
  if (resolved === secret && !secret.includes('\\')) return [];
  const ofText = secret.replaceAll('\\\\', '\\');
  const ofString = secret.replace(ESCAPED_SIGN, '$1');
  const inText = JSON.stringify(secret).slice(1, -1);
  const inJson = JSON.stringify(resolved).slice(1, -1);
  const inTextInText = JSON.stringify(inText).slice(1, -1);
  return [
    resolved,
    ofText,
    ofString,
    ...listParsed(secret),
    inText,
    inTextInText,
    JSON.stringify(inTextInText).slice(1, -1),
    // A reading resolves the escape of a quote, but no backslash that is there twice.
    resolveEscapes(inText),
    // It takes a backslash for a part of the escape behind it, as of a letter that is not ASCII, or of what follows.
    resolveEscapes(toAscii(inText)),
    resolveEscapes(secret.replace(/\\$/, '')),
    // In JSON, one that is of an address here.
    inJson,
    resolveEscapes(inJson),
  ];
}

/** A part of a string of JSON, or of JSON in JSON, as what it is a part of has it. */
function* listParsed(secret: string): Generator<string> {
  let text = secret;
  for (let depth = 0; depth < MAX_PARSED; depth += 1) {
    const inner = parseJson(`"${text}"`);
    if (typeof inner !== 'string' || inner === text) return;
    yield inner;
    text = inner;
  }
}

const MAX_PARSED = 3;

/** A text in JSON as programs write it that escape all other letters. */
function toAscii(json: string): string {
  return json.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A secret with quotes, as they are within quotes in CSV, YAML, SQL and a shell; and one that was so, without. */
function listQuoted(secret: string): readonly string[] {
  return [`'`, '"'].flatMap((quote) => {
    if (!secret.includes(quote)) return [];
    const apart = [`'\\''`, `'''`, `'"'"'`].map((how) => secret.replaceAll(`'`, how));
    const once = [secret.replaceAll(quote + quote, quote), secret.replace(QUOTE_OF_SHELL, `'`)];
    return [secret.replaceAll(quote, quote + quote), ...once, ...(quote === `'` ? apart : [])];
  });
}

/** A secret with a sign that Compose, Make, systemd or a batch file has twice, and one that was so, with one. */
function listDoubled(secret: string): readonly string[] {
  return ['$', '%'].flatMap((sign) => {
    if (!secret.includes(sign)) return [];
    const twice = sign + sign;
    return [secret.split(sign).join(twice), secret.split(twice).join(sign)];
  });
}

/** A secret with signs that is in the name of a directory, as agents name the folder of its sessions by it. */
function listInFolders(secret: string): readonly string[] {
  if (secret.length > MAX_FOLDER || !/^[^\s/\\:]*$/.test(secret)) return [];
  const ofRuns = secret.replace(/[^A-Za-z\d]+/g, '-').replace(/^-|-$/g, '');
  if (!ofRuns.includes('-')) return [];
  const names = [secret.replace(/[^A-Za-z\d]/g, '-'), ofRuns, ofRuns.toLowerCase()];
  return names.filter((name) => isMemorable(name.replaceAll('-', '')));
}
