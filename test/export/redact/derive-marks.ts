import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** A way in which a part of a pattern can match, and what of its text is known. */
interface Way {
  /** The text, where all of it is known. */
  readonly whole?: string;
  readonly begins: string;
  readonly ends: string;
  /** The longest known part. */
  readonly part: string;
}

const UNKNOWN: Way = { begins: '', ends: '', part: '' };
/** With more, only the longest known part is kept of each. */
const MAX_WAYS = 500;
/** Larger classes are unknown. */
const MAX_CLASS = 10;

/**
 * Lists of strings: whatever text a pattern matches holds one of each list, in the match or where the pattern looks
 * around. Of a pattern that ignores case, they are in small letters.
 */
export function deriveMarks({ source, flags }: RegExp): readonly (readonly string[])[] {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  // There, letters beyond ASCII are the same as some of ASCII.
  if (/i/.test(flags) && /[uv]/.test(flags)) return [];
  const lists: (readonly string[])[] = [];
  const context = { isFolded: flags.includes('i'), lists };
  const [only, ...others] = pattern.alternatives;
  // What only one of several alternatives looks around for is not in every match.
  const ways =
    only && others.length === 0
      ? join(only.elements, context)
      : pattern.alternatives.flatMap(({ elements }) => join(elements, { ...context, lists: [] }));
  const all = [ways, ...lists.map((list) => list.map((part) => ({ ...UNKNOWN, part })))];
  return all
    .map((some) => toMarks(some.map(({ part }) => part)))
    .filter((list) => list.length > 0 && list.every(isRare));
}

/** Every text that a pattern matches, without what stands around it, if these are few. */
export function listTexts(element: AST.Alternative['elements'][number]): readonly string[] {
  return read(element, { isFolded: false, lists: [] }).map(({ whole }) => {
    if (whole === undefined) throw new Error(`not one text: ${element.raw}`);
    return whole;
  });
}

interface Context {
  readonly isFolded: boolean;
  /** What the whole pattern looks around for, which is added here. */
  readonly lists: (readonly string[])[];
}

/** Shorter ones stand in most texts. */
function isRare(mark: string): boolean {
  return mark.length > 1 || /[^\w\s.,:;='"`/-]/.test(mark);
}

/** Without those that hold another; none where a way has no known part. */
function toMarks(parts: readonly string[]): readonly string[] {
  // The automaton reads ASCII.
  if (parts.some((part) => !/^[\0-~]+$/.test(part))) return [];
  const marks = [...new Set(parts)];
  return marks.filter((mark) => !marks.some((other) => other !== mark && mark.includes(other)));
}

function known(whole: string): Way {
  return { whole, begins: whole, ends: whole, part: whole };
}

function longest(...parts: readonly string[]): string {
  return parts.reduce((a, b) => (b.length > a.length ? b : a));
}

function join(elements: readonly AST.Element[], context: Context): readonly Way[] {
  let ways: readonly Way[] = [known('')];
  for (const element of elements) {
    const next = read(element, context);
    const both = ways.flatMap((a) => next.map((b) => follow(a, b)));
    ways = distinct(both.length > MAX_WAYS ? both.map(({ part }) => ({ ...UNKNOWN, part })) : both);
  }
  return ways;
}

function follow(a: Way, b: Way): Way {
  if (a.whole !== undefined && b.whole !== undefined) return known(a.whole + b.whole);
  return {
    begins: a.whole === undefined ? a.begins : a.whole + b.begins,
    ends: b.whole === undefined ? b.ends : a.ends + b.whole,
    part: longest(a.part, b.part, a.ends + b.begins),
  };
}

function distinct(ways: readonly Way[]): readonly Way[] {
  return [...new Map(ways.map((way) => [JSON.stringify(way), way])).values()];
}

function read(element: AST.Element, context: Context): readonly Way[] {
  switch (element.type) {
    case 'Character':
      return [known(toChar(element.value, context))];
    case 'CharacterClass':
      return readClass(element, context);
    case 'Group':
    case 'CapturingGroup':
      return distinct(readInner(element.alternatives, context));
    case 'Quantifier':
      return repeat(element, context);
    case 'Assertion': {
      if ('alternatives' in element && !element.negate) {
        const parts = readInner(element.alternatives, context).map(({ part }) => part);
        context.lists.push(parts);
      }
      return [known('')];
    }
    default:
      return [UNKNOWN];
  }
}

/** Reads what is not in every match, or not as it is, so that nothing in it is looked around for always. */
function readInner(alternatives: readonly AST.Alternative[], context: Context): readonly Way[] {
  return alternatives.flatMap(({ elements }) => join(elements, { ...context, lists: [] }));
}

function toChar(code: number, { isFolded }: Context): string {
  const char = String.fromCodePoint(code);
  return isFolded ? char.toLowerCase() : char;
}

function readClass({ negate, elements }: AST.CharacterClass, context: Context): readonly Way[] {
  if (negate) return [UNKNOWN];
  const codes: number[] = [];
  for (const element of elements) {
    if (element.type === 'Character') codes.push(element.value);
    else if (element.type === 'CharacterClassRange') {
      const { min, max } = element;
      for (let code = min.value; code <= max.value && codes.length <= MAX_CLASS; code += 1) {
        codes.push(code);
      }
    } else return [UNKNOWN];
  }
  if (codes.length > MAX_CLASS) return [UNKNOWN];
  return distinct(codes.map((code) => known(toChar(code, context))));
}

function repeat({ min, max, element }: AST.Quantifier, context: Context): readonly Way[] {
  const once = read(element, { ...context, lists: [] });
  if (min === 0) return max === 1 ? distinct([known(''), ...once]) : [UNKNOWN];
  if (min === 1 && max === 1) return once;
  return distinct(
    once.map((way) => {
      // The last may be another than the first.
      const [only] = once;
      const isSame = once.length === 1 && only?.whole !== undefined;
      if (!isSame) return { begins: way.begins, ends: '', part: way.part };
      const whole = (way.whole ?? '').repeat(min);
      return min === max ? known(whole) : { begins: whole, ends: whole, part: whole };
    }),
  );
}
