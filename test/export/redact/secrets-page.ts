import type { Given } from './families/given.ts';
import type { Kind } from './kinds.ts';

/** Lays out kinds as a list: what each is called, and how it is written. */
export function layOutKinds(kinds: readonly Kind[]): string {
  return kinds
    .toSorted((a, b) => (a.kind < b.kind ? -1 : 1))
    .map(({ kind, form }) => `- ${kind}: ${toCode(form)}`)
    .join('\n');
}

/** Lays out programs as a list, with the arguments that they take. */
export function layOutPrograms(given: readonly Given[]): string {
  return given
    .map(({ programs, args }) => {
      const forms = args.map((arg) => toCode(arg.replaceAll('*', '…')));
      return `- ${programs.join(', ')}: ${forms.join(', ')}`;
    })
    .join('\n');
}

/** Lays out forms in one block for each family. */
export function layOutForms(
  families: readonly (readonly [family: string, forms: readonly string[]])[],
): string {
  return families
    .map(([family, forms]) => {
      const lines = forms.map((form) => toLine(form.replaceAll('*', '…')));
      return `### ${family}\n\n~~~text\n${lines.join('\n')}\n~~~`;
    })
    .join('\n\n');
}

function toCode(form: string): string {
  const line = toLine(form);
  const fence = line.includes('`') ? '``' : '`';
  const gap = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${gap}${line}${gap}${fence}`;
}

function toLine(form: string): string {
  return form
    .replace(/\r?\n/g, '⏎')
    .replaceAll('\t', '⇥')
    .replace(/\p{Cc}/gu, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
