import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { getConsumedChars, getLengthRange, type ReadonlyFlags, toCache } from 'regexp-ast-analysis';
import { analyse } from 'scslre';

type CharSet = ReturnType<typeof getConsumedChars>['chars'];

/** A repetition of at most this many is a constant factor. */
const MAX_BOUND = 256;

/**
 * Why a pattern may take more than linear time on some text; empty: it is proven linear.
 *
 * Backtracking within one attempt is scslre's to find. The rest are attempts that begin at many
 * places and pass over the same characters each: a repetition whose end is not the end of the match,
 * so that the attempt may fail, and before which nothing keeps another attempt from beginning among
 * the repeated characters.
 */
export function checkPattern(source: string, flags: string): readonly string[] {
  const parser = new RegExpParser();
  const pattern = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const parsedFlags = toCache(parser.parseFlags(flags));
  const long = findLong(pattern);
  // Without repetition there is nothing to look for, which takes long.
  const { reports } = long.length === 0 ? { reports: [] } : analyse({ source, flags });
  const backtracking = reports.filter(({ type }) => type !== 'Move');
  const slow = long.filter((one) => canFailAfter(one, parsedFlags) && !isHeld(one, parsedFlags));
  return [
    ...backtracking.map(({ exponential }) => (exponential ? 'exponential' : 'polynomial')),
    ...slow.map(({ raw }) => `attempts overlap in ${raw}`),
  ];
}

function findLong(node: AST.Node): readonly AST.Quantifier[] {
  switch (node.type) {
    case 'Quantifier':
      return [...(node.max > MAX_BOUND ? [node] : []), ...findLong(node.element)];
    case 'Alternative':
      return node.elements.flatMap(findLong);
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives.flatMap(findLong);
    case 'Assertion':
      return 'alternatives' in node ? node.alternatives.flatMap(findLong) : [];
    default:
      return [];
  }
}

/** The alternatives around a node, from the inside out, and what of each the node is in. */
function walkUp(node: AST.Node): readonly (readonly [AST.Node, AST.Node])[] {
  return node.parent === null ? [] : [[node.parent, node], ...walkUp(node.parent)];
}

/** Whether anything must still fit when the repetition has ended. */
function canFailAfter(long: AST.Quantifier, flags: ReadonlyFlags): boolean {
  return walkUp(long).some(([parent, at]) => {
    if (parent.type === 'Assertion') return true;
    if (parent.type !== 'Alternative') return false;
    const rest = parent.elements.slice(parent.elements.findIndex((element) => element === at) + 1);
    return rest.some((element) => element.type === 'Assertion' || isRequired(element, flags));
  });
}

function isRequired(element: AST.Element, flags: ReadonlyFlags): boolean {
  return getLengthRange(element, flags).min > 0;
}

/** Whether something stands before the repetition that no attempt finds among its characters. */
function isHeld(long: AST.Quantifier, flags: ReadonlyFlags): boolean {
  if (flags.sticky === true) return true;
  const repeated = getConsumedChars(long, flags).chars;
  return walkUp(long).some(([parent, at]) => {
    if (parent.type !== 'Alternative') return false;
    const before = parent.elements.slice(
      0,
      parent.elements.findIndex((element) => element === at),
    );
    return before.some((element) => holds(element, repeated, flags));
  });
}

function holds(element: AST.Element, repeated: CharSet, flags: ReadonlyFlags): boolean {
  switch (element.type) {
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
      return getConsumedChars(element, flags).chars.isDisjointWith(repeated);
    case 'Quantifier':
      return element.min > 0 && holds(element.element, repeated, flags);
    case 'Group':
    case 'CapturingGroup':
      return element.alternatives.every(({ elements }) =>
        elements.some((inner) => holds(inner, repeated, flags)),
      );
    case 'Assertion':
      return isBarrier(element, repeated, flags);
    default:
      return false;
  }
}

/** Whether an assertion is true at no place, or at one only, among the repeated characters. */
function isBarrier(assertion: AST.Assertion, repeated: CharSet, flags: ReadonlyFlags): boolean {
  if (assertion.kind === 'start') {
    return flags.multiline !== true || repeated.isDisjointWith(LINE_ENDS);
  }
  // Between two word characters there is no boundary.
  if (assertion.kind === 'word') return !assertion.negate && repeated.isSubsetOf(WORD);
  if (assertion.kind !== 'lookbehind') return false;
  const sets = assertion.alternatives.map((alternative) => getOnlyChars(alternative, flags));
  return assertion.negate
    ? sets.some((chars) => chars !== undefined && repeated.isSubsetOf(chars))
    : sets.every((chars) => chars?.isDisjointWith(repeated));
}

/** The characters of an alternative that is a single one. */
function getOnlyChars({ elements }: AST.Alternative, flags: ReadonlyFlags): CharSet | undefined {
  const [only, ...others] = elements;
  if (only === undefined || others.length > 0) return undefined;
  const isOne = ['Character', 'CharacterClass', 'CharacterSet'].includes(only.type);
  return isOne ? getConsumedChars(only, flags).chars : undefined;
}

function parseChars(source: string): CharSet {
  const parsed = new RegExpParser().parsePattern(source);
  return getConsumedChars(parsed, toCache({})).chars;
}

const LINE_ENDS = parseChars('[\\n\\r\\u2028\\u2029]');
const WORD = parseChars('\\w');
