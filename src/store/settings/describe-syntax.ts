/**
 * Describes the fault and its place from an error of `JSON.parse`, without the text that V8 quotes: it may be
 * a key.
 */
export function describeSyntax(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? [];
  if (line !== undefined) return ` at line ${line}, column ${column}`;
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position !== undefined) return ` at character ${Number(position) + 1}`;
  return message.includes('end of JSON') ? ': it ends too early' : '';
}
