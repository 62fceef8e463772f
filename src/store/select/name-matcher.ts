import { UsageError } from '../../errors.ts';
import { foldCase } from '../../session/model/text/fold-case.ts';
import type { NameMatcher } from './selection.ts';

/** One character of a pattern; `star` stands for any number of any. */
type Token = 'star' | ((char: string) => boolean);

/** Braces multiply; no one writes this many by hand. */
const MAX_PATTERNS = 1000;

/**
 * Matches whole names against a glob as a shell has it, whatever their case and form of Unicode: `*`, `?`, `[a-z]`,
 * `[!a]`, `{one,other}`, `\` before a character, and `!` in front of a glob that must not fit. A slash
 * is a character like any other. A name may be anything that a session holds, so this never takes more
 * steps than the characters of the name times those of the glob, as a regular expression could.
 * @throws UsageError for a glob that stands for too many.
 */
export function createNameMatcher(glob: string): NameMatcher {
  refuseExtended(glob);
  if (glob.startsWith('!') && glob.length > 1) {
    const fits = createNameMatcher(glob.slice(1));
    return (name) => !fits(name);
  }
  const patterns = expandBraces(toChars(glob)).map(toTokens);
  return (name) => {
    const chars = toChars(name);
    return patterns.some((tokens) => fitsTokens(tokens, chars));
  };
}

/** Refuses what other programs read as names in parentheses that must not fit: it would fit nearly all. */
function refuseExtended(glob: string): void {
  const [names] = glob.split(')', 1);
  if (!glob.startsWith('!(') || names === glob) return;
  const isList = names?.includes('|') === true;
  if (!isList && !glob.endsWith(')')) return;
  const how = isList ? 'write the names in braces, as !{a,b}' : 'leave out the parentheses';
  throw new UsageError(`${glob}: means all names but ${glob.slice(1)}; ${how}, or write !\\(`);
}

/** Splits a text into characters as they are compared: a word may end in a glob where it goes on in a name. */
function toChars(text: string): readonly string[] {
  return Array.from(foldCase(text));
}

/** `a{b,c}d` → `abd`, `acd`; braces without a comma, or not closed, are characters. */
function expandBraces(glob: readonly string[]): readonly (readonly string[])[] {
  const open = findBraces(glob);
  if (!open) return [glob];
  const { start, commas, end } = open;
  const [before, after] = [glob.slice(0, start), glob.slice(end + 1)];
  const rests = expandBraces(after);
  const found: (readonly string[])[] = [];
  const edges = [start, ...commas, end];
  for (const [index, edge] of edges.slice(1).entries()) {
    for (const inner of expandBraces(glob.slice((edges[index] ?? 0) + 1, edge))) {
      for (const rest of rests) found.push([...before, ...inner, ...rest]);
      if (found.length > MAX_PATTERNS) {
        throw new UsageError(`${glob.join('')}: stands for more than ${MAX_PATTERNS} globs`);
      }
    }
  }
  return found;
}

interface Braces {
  readonly start: number;
  readonly commas: readonly number[];
  readonly end: number;
}

/** The first braces that have a comma of their own. */
function findBraces(glob: readonly string[]): Braces | undefined {
  const open: { start: number; commas: number[] }[] = [];
  const closed: Braces[] = [];
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob[at];
    if (char === '\\') at += 1;
    else if (char === '{') open.push({ start: at, commas: [] });
    else if (char === ',') open.at(-1)?.commas.push(at);
    else if (char === '}') {
      const braces = open.pop();
      if (braces && braces.commas.length > 0) closed.push({ ...braces, end: at });
    }
  }
  return closed.toSorted((a, b) => a.start - b.start)[0];
}

function toTokens(pattern: readonly string[]): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] ?? '';
    const set = char === '[' ? readSet(pattern, at) : undefined;
    if (char === '*') {
      if (tokens.at(-1) !== 'star') tokens.push('star');
    } else if (char === '?') tokens.push(() => true);
    else if (set) {
      tokens.push(set.fits);
      at = set.end;
    } else {
      const isEscape = char === '\\' && at + 1 < pattern.length;
      const own = isEscape ? pattern[(at += 1)] : char;
      tokens.push((one) => one === own);
    }
  }
  return tokens;
}

/** `[abc]`, `[a-z]`, `[!abc]`; undefined where nothing closes it. */
function readSet(
  pattern: readonly string[],
  start: number,
): { fits: (char: string) => boolean; end: number } | undefined {
  const isNegated = pattern[start + 1] === '!' || pattern[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  // A bracket that comes first is one of the characters.
  const end = pattern.indexOf(']', first + 1);
  if (end === -1) return undefined;
  const ranges: (readonly [string, string])[] = [];
  for (let at = first; at < end; at += 1) {
    const from = pattern[at] ?? '';
    const isRange = pattern[at + 1] === '-' && at + 2 < end;
    ranges.push([from, (isRange && pattern[at + 2]) || from]);
    if (isRange) at += 2;
  }
  const isIn = (char: string): boolean => ranges.some(([from, to]) => from <= char && char <= to);
  return { fits: (char) => isIn(char) !== isNegated, end };
}

/** Goes back to the last star only: what an earlier one could take, the last one can take too. */
function fitsTokens(tokens: readonly Token[], chars: readonly string[]): boolean {
  let [at, next] = [0, 0];
  let star: { readonly next: number; at: number } | undefined;
  while (at < chars.length) {
    const token = tokens[next];
    if (token === 'star') {
      next += 1;
      star = { next, at };
    } else if (token?.(chars[at] ?? '')) {
      next += 1;
      at += 1;
    } else if (star) {
      star.at += 1;
      [at, next] = [star.at, star.next];
    } else return false;
  }
  return tokens.slice(next).every((token) => token === 'star');
}
