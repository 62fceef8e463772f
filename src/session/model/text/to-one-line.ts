/** A name or a label as agents write it: line breaks become spaces. */
export function toOneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').trim();
}
