import type { JoinedPlaces } from './join-places.ts';
import type { Place } from './places.ts';
import type { Secret } from './secrets/detect-secrets.ts';
import { FOREIGN_NAMES } from './secrets/names.ts';
import { findBefore, isLikeSecret } from './secrets/values.ts';

/** The end of a text that asks for a secret: `What is the password?`, `Please paste the token here:`. */
const ASKS =
  /(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credential|(?:api|access)[ _-]?key)s?(?!\w)[^\n?]{0,100}\?["'`*\s]{0,8}$/i;
const REQUESTS =
  /(?:provide|enter|give me|share|send|paste|type)[ \t][^\n.?!]{0,80}(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credential|(?:api|access)[ _-]?key)s?(?!\w)[^\n?!]{0,100}["'`*\s]{0,8}$/i;
/** The end of a text that asks for something, with its last words. */
const QUESTION = /[^\n?？]{1,160}[?？]["'`*\s]{0,8}$/;
/** Nothing that is asked farther above is answered next. */
const MAX_ASKED = 400;
/** A word alone, or behind what people say when they hand something over. */
const REPLY =
  /^\s{0,8}(?:(?:it['’]?s|it is|use|try|here(?: you go| it is)?|sure|ok(?:ay)?|yes|the (?:password|token|key|pin) is)[,:.!]?\s{1,3}){0,2}["'`*]{0,3}(?<secret>[^\s"'`]{6,256})["'`*]{0,3}\s{0,8}$/i;
const MAX_REPLY = 400;

/** Secrets that people give as an answer. Only the question before it gives such an answer away. */
export class BareReplies {
  #isAsked = false;
  /** The lines of such answers: later, lines without secrets are not read again. */
  readonly #lines = new Set<number>();

  /** Finds the secret that this line gives as an answer to one before it. Lines come in order. */
  find(
    places: readonly Place[],
    joined: JoinedPlaces,
    line: number | undefined,
  ): readonly Secret[] {
    const role = places.find(({ key }) => key === 'role')?.text;
    const said = joined.starts.filter(([, index]) => isSaid(places[index]));
    if (said.length === 0) return [];
    if (role === 'assistant') {
      this.#isAsked = said.some(([, index]) => asks(places[index]?.text ?? ''));
      return [];
    }
    if (role !== 'user') return [];
    if (this.#isAsked && line !== undefined) this.#lines.add(line);
    const isAnswer = this.#isAsked || (line !== undefined && this.#lines.has(line));
    this.#isAsked = false;
    if (!isAnswer) return [];
    return said.flatMap(([start, index]) => findReply(places[index]?.text ?? '', start));
  }
}

function isSaid(place: Place | undefined): boolean {
  return place?.kind === 'text' && (place.key === 'text' || place.key === 'content');
}

function asks(text: string): boolean {
  const end = text.slice(-MAX_ASKED);
  return ASKS.test(end) || REQUESTS.test(end) || asksAbroad(end);
}

/** Returns whether the end of a text asks for a secret in another language. */
function asksAbroad(end: string): boolean {
  const [question = ''] = QUESTION.exec(end) ?? [];
  return question.search(FOREIGN_NAMES) >= 0;
}

function findReply(text: string, start: number): readonly Secret[] {
  if (text.length > MAX_REPLY) return [];
  const whole = REPLY.exec(text)?.groups?.['secret'];
  const value = whole === undefined ? undefined : findBefore(whole, isLikeSecret);
  if (value === undefined) return [];
  const at = start + text.lastIndexOf(value);
  return [{ rule: 'password', start: at, end: at + value.length, value }];
}
