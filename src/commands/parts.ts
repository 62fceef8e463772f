import { formatHint } from '../hint.ts';

/** What the value of an option is made of: checked, completed and suggested by. */
export interface Parts {
  /** What one of the names is: a column, a rule. */
  readonly noun: string;
  /** Without `values`, some of these, separated by commas. */
  readonly names: readonly string[];
  /** With them, one name and one of these, as `<name>=<value>`. */
  readonly values?: readonly string[];
  /** What shows the names, where they are too many for a message. */
  readonly listedBy?: string;
}

/** What is wrong with a value; undefined if nothing is. */
export function findPartsFault(text: string, parts: Parts): string | undefined {
  const { noun, names, values } = parts;
  const asked = values ? [text.replace(/=.*/s, '')] : splitNames(text);
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const all = parts.listedBy === undefined ? `use some of ${names.join(', ')}` : parts.listedBy;
    return `unknown ${noun} '${unknown}'${formatHint(unknown, names) || `; ${all}`}`;
  }
  const [name = ''] = asked;
  if (!values || values.some((value) => text === `${name}=${value}`)) return undefined;
  return `expected ${name}=${values.join('|')}`;
}

/** The names in a list such as `path, size`. */
export function splitNames(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}

/** What a value that has begun so can become. */
export function completeParts(begun: string, { names, values }: Parts): readonly string[] {
  if (values) {
    const [name, ...others] = names.filter((one) =>
      `${one}=`.startsWith(begun.replace(/=.*/s, '=')),
    );
    if (name === undefined) return [];
    return others.length > 0
      ? [name, ...others].map((one) => `${one}=`)
      : values.map((value) => `${name}=${value}`);
  }
  const head = begun.slice(0, begun.lastIndexOf(',') + 1);
  const used = new Set(splitNames(head));
  return names.filter((name) => !used.has(name)).map((name) => head + name);
}
