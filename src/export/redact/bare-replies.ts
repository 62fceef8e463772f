import type { JoinedPlaces } from './join-places.ts';
import type { Place } from './places.ts';
import type { Secret } from './secrets/detect-secrets.ts';
import { FOREIGN_NAMES } from './secrets/foreign-names.ts';
import { findBefore, isLikeSecret } from './secrets/values.ts';

/** The name in a question for a secret, such as `What is the password?`, and the end of one. */
const ASKED =
  /(?:pass(?:word|wd|phrase|code)|pwd|secret|token|credential|(?:api|access)[ _-]?key)s?(?!\w)/i;
const END_OF_QUESTION = /\?["'`*\s”’»)\]_!]{0,8}$/;
/** Another question, and the end of a paragraph. */
const ENDS_OTHER = /\?|\n[ \t]{0,40}\r?\n/;
/** The end of a text that asks for a secret in other words: `Please paste the token here:`. */
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

/** The text of a message, and not that of a result in it; or one that Claude Code gives to the model during a turn. */
const TYPED = /^(?:(?:\w{1,20}\.)?content|attachment\.prompt)(?:\[\d{1,6}\]\.text)?$/;
const QUEUED = /^attachment\.prompt/;
/** The id of a line, and that of the line before it on its branch. */
const OWN_ID = /^(?:id|uuid)$/;
const PARENT_ID = /^parent(?:Id|Uuid)$/;
/** Codex takes back turns, so that an earlier question is asked again. */
const TAKEN_BACK = 'thread_rolled_back';

/**
 * Secrets that people give as an answer. Only the question before it gives such an answer away. Between the two, an
 * agent may write lines of its own in the name of the user, as for an interruption or another directory.
 */
export class BareReplies {
  /** Whether the last text of the assistant asks for a secret, and whether nothing was said since. */
  #isAsked = false;
  #isNext = false;
  #hasAsked = false;
  /** The ids of lines behind such a text: a person may go back to it, and answer on another branch. */
  readonly #asking = new Set<string>();
  /** The lines of answers, and whether results in them count. They may be shown in another order. */
  readonly #lines = new Map<number, boolean>();

  /** Finds the secret that a line gives as an answer to one before it. Lines come in order. */
  find(
    places: readonly Place[],
    joined: JoinedPlaces,
    line: number | undefined,
  ): readonly Secret[] {
    const role = getRole(places);
    const said = joined.starts.filter(([, index]) => isSaid(places[index]));
    const parent = getId(places, PARENT_ID);
    const isBehind = parent !== undefined && this.#asking.has(parent);
    if (this.#hasAsked && places.some(({ text }) => text === TAKEN_BACK)) this.#isAsked = true;
    let isAsked = this.#isAsked || isBehind;
    const isNext = this.#isNext;
    if (role === 'assistant' && said.length > 0) {
      isAsked = said.some(([, index]) => asks(places[index]?.text ?? ''));
      this.#isAsked = isAsked;
      this.#isNext = isAsked;
      this.#hasAsked ||= isAsked;
    }
    const id = getId(places, OWN_ID);
    if (isAsked && id !== undefined) this.#asking.add(id);
    if (role !== 'user' || said.length === 0) return [];
    this.#isNext = false;
    if (!isAsked) return [];
    if (line !== undefined) this.#lines.set(line, isNext || this.#lines.get(line) === true);
    return findReplies(places, said, isNext);
  }

  /** Finds it again in a line of which it is known. */
  findAgain(places: readonly Place[], joined: JoinedPlaces, line: number): readonly Secret[] {
    const withResults = this.#lines.get(line);
    if (withResults === undefined) return [];
    const said = joined.starts.filter(([, index]) => isSaid(places[index]));
    return findReplies(places, said, withResults);
  }
}

type Start = JoinedPlaces['starts'][number];

function findReplies(
  places: readonly Place[],
  said: readonly Start[],
  withResults: boolean,
): readonly Secret[] {
  return said.flatMap(([start, index]) => {
    const { field = '', text = '' } = places[index] ?? {};
    return withResults || TYPED.test(field) ? findReply(text, start) : [];
  });
}

function getRole(places: readonly Place[]): string | undefined {
  const isQueued = places.some(({ field }) => QUEUED.test(field));
  return isQueued ? 'user' : places.find(({ key }) => key === 'role')?.text;
}

function getId(places: readonly Place[], named: RegExp): string | undefined {
  return places.find(({ field, kind }) => kind === 'id' && named.test(field))?.text;
}

function isSaid(place: Place | undefined): boolean {
  if (place?.kind !== 'text') return false;
  return place.key === 'text' || place.key === 'content' || QUEUED.test(place.field);
}

function asks(text: string): boolean {
  const end = text.slice(-MAX_ASKED);
  return asksForSecret(end) || REQUESTS.test(end) || asksAbroad(end);
}

/** Returns whether the end of a text is a question for a secret. */
function asksForSecret(end: string): boolean {
  const at = end.search(END_OF_QUESTION);
  return at !== -1 && ASKED.test(end.slice(0, at).split(ENDS_OTHER).at(-1) ?? '');
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
