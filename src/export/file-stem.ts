import type { SessionSummary } from '../session/model/summary.ts';
import { takeBytes } from '../session/model/text/cut-text.ts';
import { toSourceHash } from './short-hash.ts';

const MAX_PART = 40;
/** A part of a name without letters, or with a secret. */
const EMPTY = 'x';
/**
 * The limit for each of two parts; with the rest of a name they are below the 255 bytes of file
 * systems.
 */
const MAX_PART_BYTES = 80;

/**
 * The name of a session's export, without an extension: `<day>_<project>_<id>_<hash>`. Depends on
 * the header and the file's path only, so that it is the same in every run and on every shard; the
 * hash of the path keeps apart sessions of one id. Nothing in it is special to any file system.
 */
export function toFileStem(
  { created, cwd, id }: SessionSummary,
  path: string,
  redactor?: KnowsSecrets,
): string {
  const day = created?.slice(0, 10) ?? 'undated';
  const project = cwd.split(/[/\\]/).findLast((part) => part !== '') ?? 'no-project';
  const parts = [project, id].map(toNamePart);
  const safe = parts.map((part) => (redactor?.holdsKnown(part) === true ? EMPTY : part));
  return [day, ...safe, toSourceHash(path)].join('_');
}

/** A part of a name may be a secret that the text was not, since it is in lower case. */
interface KnowsSecrets {
  holdsKnown(text: string): boolean;
}

/**
 * Accents are left out, but not the marks of other scripts: these would not be the same letters, as in Japanese, or not
 * be read at all.
 */
const ACCENTED =
  /([\p{Number}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mark}+|\p{Variation_Selector}/gu;

/** Letters, digits and hyphens, never at the ends; lower case, as some file systems know no other. */
function toNamePart(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(ACCENTED, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/^\p{Mark}+/u, '')
    .replace(/[^\p{Letter}\p{Mark}\p{Number}]+\p{Mark}*/gu, '-')
    .slice(0, MAX_PART)
    // Half of a character that the cut has left.
    .replace(/[\uD800-\uDBFF]$/, '');
  const part = takeBytes(plain, MAX_PART_BYTES).replace(/^-+|(?<!-)-+$/g, '');
  return part === '' ? EMPTY : part;
}
