/** A message longer than this is read at its beginning and its end only. */
const MAX_READ = 16_000;
const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g;
const MARKUP = /^\s*(?:(?:[>*+-]|#+|\d+[.)]|\[[ xX]\])\s+)*/;
const HEADING = /^[ \t]*#+[ \t].*$/gm;
/** Rulers, tables, lines of code: nothing that reads as a sentence. */
const NO_PROSE = /^[|=_~\-\s]*$|^\||[{};]$|^(?:import|export|const|let|function|return)\b/;

/** The lines of a text that are prose, without their list marks; code blocks are left out. */
export function getLines(text: string): readonly string[] {
  const read =
    text.length <= MAX_READ ? text : `${text.slice(0, MAX_READ / 2)}\n${text.slice(-MAX_READ / 2)}`;
  return read
    .replace(CODE_BLOCK, '\n')
    .split('\n')
    .map((line) => line.replace(MARKUP, '').trim())
    .filter((line) => line !== '' && !NO_PROSE.test(line));
}

export function getSentences(text: string): readonly string[] {
  return getLines(text.replace(HEADING, ''))
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=\S)/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 2);
}

/** Equal for statements that differ in case, marks and endings only. */
export function toKey(text: string): string {
  return text
    .slice(0, 400)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 90);
}

/** Quotes a text like code in Markdown. */
export function quote(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
