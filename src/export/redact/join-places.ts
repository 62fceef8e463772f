import type { Secret } from './secrets/detect-secrets.ts';
import type { Place } from './places.ts';

/** A part of one string that is to be taken out; of several that overlap, the longest says what. */
export interface Cut {
  readonly start: number;
  readonly end: number;
  readonly secret: Secret;
}

/** The fields that describe a line or a block. Their values are not continued by the next text. */
const DESCRIBING: ReadonlySet<string> = new Set([
  'type',
  'role',
  'timestamp',
  'media_type',
  'mimeType',
  'toolName',
  'gitBranch',
]);

/**
 * The strings of a payload in one text, a line each: a search for each of them would take longer.
 * What is said follows on what is said, so that a key which two blocks share is whole.
 */
export class JoinedPlaces {
  readonly text: string;
  /** The starts of the places in the text, in order. */
  readonly starts: readonly (readonly [start: number, index: number, length: number])[];

  constructor(places: readonly Place[]) {
    const indexes = places.map((_, index) => index).filter((at) => places[at]?.kind !== 'id');
    const isSaid = (index: number): boolean => {
      const { kind, key = '' } = places[index] ?? {};
      return kind === 'text' && !DESCRIBING.has(key);
    };
    const starts: (readonly [number, number, number])[] = [];
    const texts: string[] = [];
    let at = 0;
    const add = (index: number, end: string): void => {
      const { text = '' } = places[index] ?? {};
      starts.push([at, index, text.length]);
      texts.push(text, end);
      at += text.length + end.length;
    };
    // No one takes a name and what follows for one word.
    for (const index of indexes) if (!isSaid(index)) add(index, '\n;\n');
    const said = joinCalls(places, indexes.filter(isSaid));
    for (const [nth, index] of said.entries()) {
      add(index, endPlace(places[index], places[said[nth + 1] ?? -1]));
    }
    this.starts = starts;
    this.text = texts.join('');
  }

  /** Maps the index of each place to the parts to take out, first to last. */
  cut(secrets: readonly Secret[]): ReadonlyMap<number, readonly Cut[]> {
    const merged = merge(secrets);
    const cuts = new Map<number, Cut[]>();
    let next = 0;
    for (const [start, index, length] of this.starts) {
      const end = start + length;
      while (next < merged.length && (merged[next]?.end ?? 0) <= start) next += 1;
      for (let at = next; at < merged.length; at += 1) {
        const cut = merged[at];
        if (!cut || cut.start >= end) break;
        const inPlace = {
          start: Math.max(cut.start, start) - start,
          end: Math.min(cut.end, end) - start,
          secret: cut.secret,
        };
        const known = cuts.get(index);
        if (known) known.push(inPlace);
        else cuts.set(index, [inPlace]);
      }
    }
    return cuts;
  }
}

/** Puts the words of each call together, where the first of them stands. */
function joinCalls(places: readonly Place[], indexes: readonly number[]): readonly number[] {
  const calls = new Map<string, number[]>();
  for (const index of indexes) {
    const { call } = places[index] ?? {};
    if (call === undefined) continue;
    const words = calls.get(call);
    if (words) words.push(index);
    else calls.set(call, [index]);
  }
  return indexes.flatMap((index) => {
    const { call } = places[index] ?? {};
    if (call === undefined) return [index];
    const words = calls.get(call) ?? [];
    calls.delete(call);
    const isProgram = (word: number): boolean => places[word]?.isProgram === true;
    return [...words.filter(isProgram), ...words.filter((word) => !isProgram(word))];
  });
}

/** Returns what stands between a place and the next: no empty line, since one would end a table or an output. */
function endPlace(place: Place | undefined, next: Place | undefined): string {
  if (areOneCall(place, next)) return ' ';
  return place?.text.endsWith('\n') ? '' : '\n';
}

/** Returns whether both are words of one call. */
function areOneCall(place: Place | undefined, next: Place | undefined): boolean {
  return place?.call !== undefined && place.call === next?.call;
}

function merge(secrets: readonly Secret[]): readonly Cut[] {
  const merged: Cut[] = [];
  const sorted = secrets.toSorted((a, b) => a.start - b.start || b.end - a.end);
  for (const secret of sorted) {
    const last = merged.at(-1);
    if (!last || secret.start >= last.end) {
      merged.push({ start: secret.start, end: secret.end, secret });
      continue;
    }
    const isLonger = secret.end - secret.start > last.secret.end - last.secret.start;
    const end = Math.max(last.end, secret.end);
    merged[merged.length - 1] = { start: last.start, end, secret: isLonger ? secret : last.secret };
  }
  return merged;
}
