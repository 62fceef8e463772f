/**
 * Other signs for the same: blanks, dashes and quotes of typography, full-width and mathematical
 * letters, letters whose marks are characters of their own.
 */
export const VARIANT =
  /[\u00a0\u1680\u2000-\u200a\u2010-\u2015\u2018-\u201f\u202f\u205f\u2212\u3000\ufe50-\ufe6f\uff01-\uffee]|\ud835[\udc00-\udfff]|[A-Za-z\u00c0-\u1eff][\u0300-\u036f]{1,8}|[\u3040-\u30ff][\u3099\u309a]|[\u1100-\u11ff]{2,64}/g;

const DASH = /^[\u2010-\u2015\u2212]$/;
const SINGLE_QUOTE = /^[\u2018-\u201b]$/;
const DOUBLE_QUOTE = /^[\u201c-\u201f]$/;

/** Returns the plain character of a variant. */
export function toPlain(variant: string): string {
  if (DASH.test(variant)) return '-';
  if (SINGLE_QUOTE.test(variant)) return "'";
  return DOUBLE_QUOTE.test(variant) ? '"' : variant.normalize('NFKC');
}

/** A text in the signs that its variants stand for. */
export function fold(text: string): string {
  return text.replace(VARIANT, toPlain);
}
