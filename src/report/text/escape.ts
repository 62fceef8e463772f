import { replaceHidden } from '../../session/model/text/hidden-characters.ts';

/** Characters that join others or choose their look; removed where they have no effect. */
const JOINER = /^(?:\u200c|\u200d|\p{Variation_Selector})$/u;
/** Runs of white space that are more than a single blank. */
const RUN_OF_SPACE = /(?: {2}|[^\S ]| [^\S ])\s*/g;
/** Text in which nothing is hidden. */
const PLAIN = /^[ -~]*$/;

/** Text of a session made safe for a terminal: one line, nothing that a terminal would obey. */
export function toPlainLine(text: string, maxLength = 500): string {
  const cut = text.length > maxLength ? `${cutWhole(text, maxLength - 1)}…` : text;
  const line = cut.replace(RUN_OF_SPACE, ' ');
  if (PLAIN.test(line)) return line.trim();
  return replaceHidden(line, (char) => (JOINER.test(char) ? '' : '\ufffd'))
    .toWellFormed()
    .trim();
}

/** Text of several lines made safe for a terminal; only its line breaks and tabs are left. */
export function toPlainText(text: string): string {
  return replaceHidden(text).toWellFormed();
}

/** Cuts a text, but never between the halves of a surrogate pair. */
function cutWhole(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Text that is written from the right set apart, so that it reorders nothing around it. */
export function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}
