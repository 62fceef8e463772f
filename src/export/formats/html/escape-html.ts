import { replaceEach } from '../../../session/model/text/hidden-characters.ts';
import { toReadable } from '../../turns/readable.ts';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Text of a session as HTML text or as a quoted attribute: never markup, nothing invisible. */
export function escapeHtml(text: string): string {
  return replaceEach(toReadable(text), /[&<>"']/g, (char) => ENTITIES.get(char) ?? char);
}

/** JSON that ends no script element, whatever strings it holds. */
export function escapeJsonBlock(json: string): string {
  return replaceEach(json, /</g, '\\u003c');
}
