import MarkdownIt from 'markdown-it';
import { replaceEach, replaceHidden } from '../../../session/model/text/hidden-characters.ts';

/** Longer text was written by a program, and takes long to parse. */
const MAX_LENGTH = 50_000;
const RUN_OF_TICKS = /`+/g;
const ENTITY = /&(?:#|[A-Za-z])/;
const ENTITIES = /&(?:#[Xx][\dA-Fa-f]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z\d]{1,31});/g;
const MAY_FENCE = /`{3}|~{3}/;

/** Reads no more than which lines belong to which block. */
const blocks = new MarkdownIt({ html: false }).disable(['inline', 'text_join'], true);
const reader = new MarkdownIt({ html: true });

/** Text as a code block, whatever fences it holds itself. */
export function fence(text: string, language = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(RUN_OF_TICKS)) longest = Math.max(longest, run.length);
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}

/**
 * Someone's Markdown as a part of a larger document: a code block that is left open is closed, and
 * HTML is shown as text, and so is the
 * name of a character that no one could see. Code keeps its bytes; all of a text that is too long to be prose is code.
 */
export function containMarkdown(text: string): string {
  if (text.length > MAX_LENGTH) return fence(text);
  const closed = closeFence(text);
  if (!closed.includes('<') && !ENTITY.test(closed)) return closed;
  const code = findCodeLines(closed);
  const lines = closed.split('\n');
  const escape = (toText: (line: string) => string): string =>
    lines.map((line, index) => (code.has(index) ? line : toText(line))).join('\n');
  const escaped = escape(escapeAroundCode);
  // Text that looks like code inside a line may not be code: an earlier line, a link or a table decides.
  return isUnsafe(escaped) ? escape(escapeMarks) : escaped;
}

/** Ends a code block that has no end: what follows would be in it. */
function closeFence(text: string): string {
  if (!MAY_FENCE.test(text)) return text;
  const last = blocks.parse(`${text}\n\nend`, {}).at(-1);
  return last?.type === 'fence' ? `${text}\n${last.markup}` : text;
}

/** The lines of code blocks, numbered from 0, as CommonMark has them. */
function findCodeLines(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { type, map } of blocks.parse(text, {})) {
    if ((type !== 'fence' && type !== 'code_block') || !map) continue;
    for (let line = map[0]; line < map[1]; line += 1) found.add(line);
  }
  return found;
}

/** Leaves alone what stands between two equal runs of backticks. */
function escapeAroundCode(line: string): string {
  const parts = line.split(/(`+)/);
  /** By index of a run: that of the next as long. */
  const ends = new Map<number, number>();
  const latest = new Map<number, number>();
  for (let at = parts.length - 2; at > 0; at -= 2) {
    const { length } = parts[at] ?? '';
    const end = latest.get(length);
    if (end !== undefined) ends.set(at, end);
    latest.set(length, at);
  }
  let codeEnd = -1;
  return parts
    .map((part, at) => {
      if (at <= codeEnd) return part;
      codeEnd = ends.get(at) ?? -1;
      return escapeMarks(part);
    })
    .join('');
}

function escapeMarks(text: string): string {
  return replaceEach(text, /</g, '&lt;').replace(ENTITIES, (entity) => {
    const char = reader.utils.unescapeAll(entity);
    return replaceHidden(char) === char ? entity : `&amp;${entity.slice(1)}`;
  });
}

/** Returns whether a reader would take something for HTML, or not see it. */
function isUnsafe(text: string): boolean {
  return reader.parse(text, {}).some(({ type, children }) => {
    if (type === 'html_block') return true;
    return children?.some(
      (child) => child.type === 'html_inline' || replaceHidden(child.content) !== child.content,
    );
  });
}
