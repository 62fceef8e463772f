const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/;
/** The beginning of HTML that would swallow what follows, or close what came before. */
const OPEN_ENDED =
  /^( {0,3})<(?=!|\?|\/|(?:script|style|pre|textarea|details|summary|title|template)\b)/i;

/** Text as a code block, whatever fences it holds itself. */
export function fence(text: string, language = ''): string {
  const longest = Math.max(
    2,
    ...[...text.matchAll(/`+/g)].slice(0, 10_000).map(([run]) => run.length),
  );
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}

/**
 * Someone's Markdown as a part of a larger document: a code block that is left open is closed, and
 * HTML that would reach beyond it is shown as text. Nothing else is changed.
 */
export function containMarkdown(text: string): string {
  let open: string | undefined;
  const lines = text.split('\n').map((line) => {
    const [, marks, info = ''] = FENCE.exec(line) ?? [];
    if (open === undefined) {
      if (marks === undefined || (marks.startsWith('`') && info.includes('`'))) {
        return line.replace(OPEN_ENDED, '$1\\<');
      }
      open = marks;
    } else if (marks?.startsWith(open) && info.trim() === '') {
      open = undefined;
    }
    return line;
  });
  return open === undefined ? lines.join('\n') : `${lines.join('\n')}\n${open}`;
}
