import type { JoinedPlaces } from './join-places.ts';
import type { Place } from './places.ts';
import { moveTo, type Secret } from './secrets/detect-secrets.ts';
import { cutIntoParts } from './text/read-in-parts.ts';
import { View } from './text/view.ts';

/** Two members that a document shows as one name, and the sign that it puts between them. */
const NAMES: readonly (readonly [first: string, second: string, sign: string])[] = [
  ['provider', 'model', '/'],
  ['provider', 'modelId', '/'],
  ['namespace', 'name', '.'],
];
/** A listing has a blank between the blocks of the first message, and a secret may be in two of them. */
const FIRST_MESSAGE = 'firstMessage';
const BLANK = / /g;

/** Finds known secrets in the texts that are put together of several when they are shown. */
export function findPutTogether(
  places: readonly Place[],
  joined: JoinedPlaces,
  recognize: (view: View) => readonly Secret[],
): readonly Secret[] {
  const byField = new Map<string, readonly [text: string, start: number]>();
  for (const [start, index] of joined.starts) {
    const { field = '', kind, text = '' } = places[index] ?? {};
    if (kind === 'text') byField.set(field, [text, start]);
  }
  const found: Secret[] = [];
  for (const [field, [text, start]] of byField) {
    if (field === FIRST_MESSAGE) {
      for (const [from, to] of cutIntoParts(text)) {
        const view = View.of(text.slice(from, to)).replace(BLANK, () => '');
        for (const secret of view ? recognize(view) : []) found.push(moveTo(secret, start + from));
      }
    }
    const dot = field.lastIndexOf('.') + 1;
    for (const [first, second, sign] of NAMES) {
      if (field.slice(dot) !== first) continue;
      const [other, at] = byField.get(field.slice(0, dot) + second) ?? [];
      if (other === undefined || at === undefined) continue;
      const behind = text.length + sign.length;
      for (const secret of recognize(View.of(text + sign + other))) {
        const { start: from, end: to } = secret;
        const inFirst = { ...secret, end: Math.min(to, text.length) };
        const inSecond = { ...secret, start: Math.max(from - behind, 0), end: to - behind };
        if (inFirst.start < inFirst.end) found.push(moveTo(inFirst, start));
        if (inSecond.start < inSecond.end) found.push(moveTo(inSecond, at));
      }
    }
  }
  return found;
}
