/** The text without what makes a model refuse a request: NUL characters, and halves of surrogate pairs. */
export function toSendable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
