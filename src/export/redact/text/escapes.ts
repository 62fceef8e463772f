import MarkdownIt from 'markdown-it';

export const ESCAPE =
  /(?<!\\)\\+(?:u[\dA-Fa-f]{4}|[ux]\{[\dA-Fa-f]{1,8}\}|N\{U\+[\dA-Fa-f]{4,6}\}|U[\dA-Fa-f]{8}|x[C-Fc-f][\dA-Fa-f](?:\\{1,8}x[89ABab][\dA-Fa-f]){1,3}|3[0-7]{2}(?:\\{1,8}2[0-7]{2}){1,3}|x[\dA-Fa-f]{2}|[0-3]?[0-7]{2}|[enrt]|[!-/:-@[\]-`{-~])|%u[\dA-Fa-f]{4}|%[C-Fc-f][\dA-Fa-f](?:%[89ABab][\dA-Fa-f]){1,3}|%[\dA-Fa-f]{2}|&(?:#[Xx]0{0,20}[\dA-Fa-f]{1,6};?|#0{0,20}\d{1,7};?|[A-Za-z][A-Za-z\d]{1,31};)/g;
/**
 * Escapes of mail and of style sheets, which mean other things elsewhere, so they are read apart. A line that goes
 * on has 64 to 76 characters, or an escape behind it; a shorter one ends in base64. Mail has no `=` behind the name of
 * a parameter, but `=3D`; and a number in hexadecimal that goes on, or with a unit (`=30d`), is none of its escapes.
 */
export const OTHER_ESCAPE =
  /=[C-F][\dA-F](?:=[89AB][\dA-F]){1,3}|=(?:09|3[Dd]|(?<![?&;,](?<!=\?[\w-]{1,40}\?[Qq]\?)[\w. -]{1,60}=)(?!\d\d(?:min|ms|[smhdwy]|[kKMG]i?B?)(?![\w=]))[2-7][\dA-Fa-f](?![\da-f]{6}))|=\r?\n(?:(?==[C-F\d][\dA-F])|(?<=^[^\n]{63,75}[^=\n]=\r?\n))|\?=(?:\r?\n)?[ \t]{1,8}=\?[\w-]{1,40}\?[Qq]\?|\\{1,8}(?:[\dA-Fa-f]{2,5}[ \t]|(?:0[\dA-Fa-f]{5}|0{0,3}[2-7][\dA-Fa-f](?![\dA-Fa-f]))[ \t]?)/gm;
export const SOFT_BREAK =
  /=\r?\n(?:(?==[C-F\d][\dA-F])|(?<=^[^\n]{63,75}[^=\n]=\r?\n))|\?=(?:\r?\n)?[ \t]{1,8}=\?[\w-]{1,40}\?[Qq]\?/gm;
const CONTROL_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['e', '\u001b'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
/** Knows every name that a page has for a character, as the pages that we make do. */
const { unescapeAll } = new MarkdownIt().utils;

/** A text as a reading shows it that resolves the escapes in and around it. */
export function resolveEscapes(text: string): string {
  return text.replace(ESCAPE, resolve);
}

export function resolve(escape: string): string {
  if (escape.startsWith('&')) {
    const [, hex, decimal = ''] = /^&#(?:x([\da-f]+)|(\d+))/i.exec(escape) ?? [];
    if (hex === undefined && decimal === '') return unescapeAll(escape);
    return toChar(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  }
  if (/^%[^u].%/.test(escape))
    return Buffer.from(escape.replaceAll('%', ''), 'hex').toString('utf8');
  // The bytes of a character, as Python and Git show them.
  if (/^\\+(?:x..|3..)\\/.test(escape)) {
    const bytes = escape.match(/x[\dA-Fa-f]{2}|[0-7]{3}/g) ?? [];
    return Buffer.from(bytes.map((byte) => Number(`0${byte.replace(/^\d/, 'o$&')}`))).toString();
  }
  const end = escape.startsWith('%') ? escape : escape.replace(/^\\+/, '\\');
  const code = /^(?:\\[uxU]\{?|\\N\{U\+|%u?)([\dA-Fa-f]+)\}?$/.exec(end)?.[1];
  if (code !== undefined) return toChar(Number.parseInt(code, 16));
  const letter = end.slice(1);
  if (/^\d+$/.test(letter)) return toChar(Number.parseInt(letter, 8));
  return CONTROL_ESCAPES.get(letter) ?? letter;
}

export function resolveOther(escape: string): string {
  if (escape.startsWith('=', 3)) {
    return Buffer.from(escape.replaceAll('=', ''), 'hex').toString('utf8');
  }
  return toChar(Number.parseInt(escape.replace(/^(?:=|\\+)/, ''), 16));
}

function toChar(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
