import {
  type ArgumentForm,
  PROGRAMS,
} from '../../../../src/export/redact/secrets/program-table.ts';

export interface Given {
  readonly programs: readonly string[];
  /** Behind the name of each of these programs; `*` is the secret. */
  readonly args: readonly string[];
}

/** Programs that take the same arguments, and these. */
export const GIVEN: readonly Given[] = groupPrograms();

function groupPrograms(): readonly Given[] {
  const byArguments = new Map<string, string[]>();
  for (const [program, forms] of PROGRAMS) {
    const written = forms.map(writeForm).join('\n');
    byArguments.set(written, [...(byArguments.get(written) ?? []), program]);
  }
  return Array.from(byArguments, ([written, programs]) => ({
    programs,
    args: written.split('\n'),
  }));
}

function writeForm({ before, option, how }: ArgumentForm): string {
  const user = how.has('behind') ? 'bob:' : '';
  const isAttached = how.has('attached') || /[:=]$/.test(option ?? '');
  const last = option === undefined ? `${user}*` : `${option}${isAttached ? '' : ' '}${user}*`;
  return [...before.map(writeBefore), last].join(' ');
}

/** An argument that is any, one that ends so, or one that has more behind it. */
function writeBefore(word: string): string {
  if (word === '.') return 'x';
  if (word.startsWith('*')) return `x${word.slice(1)}`;
  return /[:=]$/.test(word) ? `${word}bob` : word;
}
