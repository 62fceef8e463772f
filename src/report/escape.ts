// What may steer a terminal, or reorders, hides or is no text: C0, DEL, C1, format characters and
// those that are blank but look like nothing, halves of surrogate pairs.
const UNSAFE =
  /[\p{Control}\p{Format}\p{Surrogate}\p{Line_Separator}\p{Paragraph_Separator}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/gu;
// What joins emoji, or chooses how they look: few terminals draw that as wide as it is reckoned.
const JOINERS = /\u200c|\u200d|\p{Variation_Selector}/gu;
const RUN_OF_SPACE = /\s+/g;

/** Text of a session made safe for a terminal: one line, nothing that a terminal would obey. */
export function toPlainLine(text: string, maxLength = 500): string {
  const cut = text.length > maxLength ? `${cutWhole(text, maxLength - 1)}…` : text;
  return toPlainText(cut.replace(RUN_OF_SPACE, ' ').replace(JOINERS, '')).trim();
}

/** Text of several lines made safe for a terminal; only its line breaks and tabs are left. */
export function toPlainText(text: string): string {
  return text.replace(UNSAFE, (char) => (char === '\n' || char === '\t' ? char : '\ufffd'));
}

/** Never between the halves of a surrogate pair. */
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
