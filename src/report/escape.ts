// What may steer a terminal: C0, DEL, C1, and the marks that reorder or hide text.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u061c\u2028-\u202e\u2060-\u2069\ufeff]/g;
// What joins emoji: few terminals draw what is joined as wide as it is reckoned.
const JOINERS = /[\u200c\u200d]/g;
const RUN_OF_SPACE = /\s+/g;

/** Text of a session made safe for a terminal: one line, nothing that a terminal would obey. */
export function toPlainLine(text: string, maxLength = 500): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
  return cut.replace(RUN_OF_SPACE, ' ').replace(JOINERS, '').replace(UNSAFE, '\ufffd').trim();
}
