import { pick } from '../../harness/pick.ts';

const DEEP = '"deep"';

/** Values that no file of coppice holds where it holds anything. */
const STRANGE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  'x',
  '../precious/file',
  '\0',
  '\ud83d',
  '+275760-09-13T00:00:00.001Z',
  [],
  [[]],
  [null],
  {},
  { length: 3 },
  'deep',
];

function isNode(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Puts a strange value in some place of a line, or gives it a name that every object has. */
export function mutate(line: string, name: string): string {
  const root: unknown = JSON.parse(line);
  const places: (readonly [Record<string, unknown>, string])[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isNode(node)) continue;
    for (const key of Object.keys(node)) places.push([node, key]);
    waiting.push(...Object.values(node));
  }
  const [node, key] = places[pick(places.length, `${name} place`)] ?? [{}, ''];
  const way = pick(STRANGE.length + 2, `${name} value`);
  if (way === STRANGE.length) Reflect.deleteProperty(node, key);
  else if (way < STRANGE.length) node[key] = STRANGE[way];
  const text = JSON.stringify(root).replace(DEEP, '['.repeat(30_000) + ']'.repeat(30_000));
  if (way <= STRANGE.length) return text;
  return text.replace(`"${key}":`, '"__proto__":{"polluted":"yes"},"constructor":');
}
