import type { JsonObject } from '../../session/jsonl/edit/json.ts';
import { type FileStamp, isSameState } from '../../session/jsonl/files/identity/file-stamp.ts';
import { moveTo, type Secret, type SecretDetector } from './secrets/detect-secrets.ts';
import { AskingCalls } from './asking-calls.ts';
import { BareReplies } from './bare-replies.ts';
import { isMemorable, listParts, listReadings, listShorter } from './secrets/known-readings.ts';
import { KnownValues } from './secrets/known-values.ts';
import { type Cut, JoinedPlaces } from './join-places.ts';
import { listNumbers, mapNumbers } from './exact-numbers.ts';
import { findInJson } from './json-texts.ts';
import { cutFromText } from './keep-json.ts';
import { findMembers } from './members.ts';
import { Openings } from './openings.ts';
import { collectPlaces, mapStrings, type Place } from './places.ts';
import { findPutTogether } from './put-together.ts';
import { readUnbroken } from './text/read-as.ts';
import { PartReader, type ReadPart } from './text/read-in-parts.ts';
import { readWhole } from './text/read-whole.ts';
import { View } from './text/view.ts';
import type { Redaction } from './redaction.ts';

/**
 * The limit of the characters that are remembered of secrets; beyond it, a secret is removed only
 * where it is found. It is more than 300,000, as two patterns may find one secret with different ends. A secret with a known shape is found anywhere, so it takes no room of the others;
 * but not all of its kind are, such as a token in an address. What else a secret may be, such as its text without the
 * signs at its end, takes no room of other secrets, either.
 */
const MAX_REMEMBERED = { named: 400_000, shaped: 400_000, others: 800_000 };
/** The rules whose secrets are found by what stands before them, which may be missing elsewhere. */
const NAMED: ReadonlySet<string> = new Set([
  'assigned-secret',
  'secret-member',
  'authorization',
  'cookie',
  'url-password',
  'command-password',
  'password',
  'printed-secret',
]);
/** The characters of ids of agents, unless they are a text in hexadecimal. */
const PLAIN_ID = /^(?!(?:[2-7][\da-f]){8,20}$)[\da-f-]{1,40}$/i;
/** Another gets another, so that no two entries have the same. */
const LIKE_SAFE_ID = /^redacted-\d/;
/** The members that an index keeps beside ids, and hides as they are. */
const INDEXED: ReadonlySet<string> = new Set([
  'type',
  'role',
  'customType',
  'model',
  'modelId',
  'provider',
]);

/**
 * Takes secrets out of the payloads of one session. A secret that was found or learned once is taken
 * out wherever it stands, also where nothing around it would give it away.
 */
export class Redactor {
  readonly #detect: SecretDetector;
  readonly #values: KnownValues;
  /** The values of the list that may be numbers, too. */
  readonly #exactNumbers: ReadonlyMap<number, string>;
  readonly #asking = new AskingCalls();
  readonly #replies = new BareReplies();
  readonly #openings = new Openings();
  readonly #remembered = { named: 0, shaped: 0, others: 0 };
  /** Rule by secret that was found. */
  readonly #rules = new Map<string, string>();
  /** Number by secret. */
  readonly #numbers = new Map<string, number>();
  /** The secret that each reading of it stands for, so that it counts as one. */
  readonly #wholes = new Map<string, string>();
  readonly #exactWholes: ReadonlyMap<string, string>;
  /** The replacements of ids that hold a secret: always the same, so that lines still relate. */
  readonly #ids = new Map<string, string>();
  /** Lines that were learned from, and whether anything was found in them. */
  readonly #learned = new Map<number, boolean>();
  /** The state of each file that was learned from, by path. */
  readonly #files = new Map<string, FileStamp>();
  /** The last line of each file of a sub-agent that was learned from, by path. */
  readonly #ends = new Map<string, number>();
  readonly #redactions = new Map<string, Redaction>();

  /** `exact`: what redactors that are made with the same list share. */
  constructor(detect: SecretDetector, exact: readonly string[]) {
    this.#detect = detect;
    const { values, wholes } = knowExact(exact);
    this.#values = new KnownValues(values);
    this.#exactWholes = wholes;
    this.#exactNumbers = listNumbers(exact);
  }

  get redactions(): readonly Redaction[] {
    return [...this.#redactions.values()];
  }

  /** Returns whether a file was learned from, as it is now or in any state; from now on it counts as such. */
  hasLearned(path: string, stamp: FileStamp, { inAnyState = false } = {}): boolean {
    const learned = this.#files.get(path);
    if (learned && (inAnyState || isSameState(learned, stamp))) return true;
    this.#files.set(path, stamp);
    return false;
  }

  /** Records how much of a sub-agent was learned from: it may go on working. */
  setEnd(path: string, end: number): void {
    this.#ends.set(path, end);
  }

  /** Returns the last line of a sub-agent that may be shown. */
  getEnd(path: string): number | undefined {
    return this.#ends.get(path);
  }

  /** Lets it look for the message of which a text is a block, in what it learns from now on. */
  expectOpening(text: string | null): void {
    this.#openings.expect(text);
  }

  /**
   * Remembers what is secret in the payload of a line, for text that is exported before it. The lines of other
   * files have no number here.
   */
  async learn(payload: JsonObject, line?: number): Promise<void> {
    const places = collectPlaces(payload);
    const joined = new JoinedPlaces(places);
    this.#openings.add(places, joined);
    const replies = this.#replies.find(places, joined, line);
    const found = await this.#find(places, joined, new PartReader(joined.text), replies);
    if (line !== undefined)
      this.#learned.set(line, found.length > 0 || this.#learned.get(line) === true);
  }

  /** The payload of the entry on a line, without secrets; the same object if there are none. */
  async redact(payload: JsonObject, line: number): Promise<JsonObject> {
    const safe = await this.#redactTexts(payload, line);
    const rule = 'secret-file';
    return mapNumbers(safe, this.#exactNumbers, (value, field) => {
      this.#record({ value, rule, start: 0, end: value.length }, line, field, 1);
      return `[REDACTED:${rule}]`;
    });
  }

  async #redactTexts(payload: JsonObject, line: number): Promise<JsonObject> {
    const places = collectPlaces(payload);
    const cuts = await this.#findCuts(places, line);
    const texts = places.map((place, index): string | undefined => {
      if (place.kind === 'id') return this.toSafeId(place.text);
      return cutOut(place, cuts.get(index) ?? []);
    });
    if (texts.every((text, index) => text === places[index]?.text)) return payload;
    let next = 0;
    // Only now are the names in a field without secrets.
    return mapStrings(payload, ({ field }) => {
      this.#recordAll(cuts.get(next) ?? [], line, field);
      return texts[next++];
    });
  }

  /** Finds the parts to take out of each place. A line is not read again if no secret is known. */
  async #findCuts(
    places: readonly Place[],
    line: number,
  ): Promise<ReadonlyMap<number, readonly Cut[]>> {
    const isLearned = this.#learned.get(line) === false;
    if (isLearned && this.#values.isEmpty) return new Map();
    const joined = new JoinedPlaces(places);
    const parts = new PartReader(joined.text);
    // Lines of sub-agents have no number here, and come in order.
    const replies =
      line > 0
        ? this.#replies.findAgain(places, joined, line)
        : this.#replies.find(places, joined, undefined);
    const found = isLearned ? [] : await this.#find(places, joined, parts, replies);
    const shown = findPutTogether(places, joined, (view) => this.#recognizeIn(view));
    const begun = this.#openings.find(places, joined, (text) =>
      this.#recognize(new PartReader(text)),
    );
    return joined.cut([...found, ...this.#recognize(parts), ...shown, ...begun]);
  }

  /** An id without secrets: another, that is the same for the same id of this session. */
  toSafeId(id: string): string {
    if (PLAIN_ID.test(id) && this.#values.find(id).length === 0) return id;
    const isSafe = !this.#ids.has(id) && !LIKE_SAFE_ID.test(id) && !this.holdsKnown(id);
    return isSafe ? id : this.#hideId(id);
  }

  /** Returns whether a known secret is in a text. */
  holdsKnown(text: string): boolean {
    return !this.#values.isEmpty && this.#recognize(new PartReader(text)).length > 0;
  }

  #hideId(id: string): string {
    const safe = this.#ids.get(id) ?? `redacted-${this.#ids.size + 1}`;
    this.#ids.set(id, safe);
    return safe;
  }

  /** Finds values that are secret by themselves, by their name, or by the text before them. */
  async #find(
    places: readonly Place[],
    joined: JoinedPlaces,
    parts: Iterable<ReadPart>,
    replies: readonly Secret[],
  ): Promise<readonly Secret[]> {
    const found = [
      ...(await this.#detectIn(parts)),
      ...findMembers(places, joined),
      ...(await findInJson(places, joined, this.#detect)),
      ...this.#asking.find(places, joined),
      ...replies,
    ];
    for (const { value, rule } of found) this.#remember(value, rule);
    for (const index of joined.cut(found).keys()) {
      const { key = '', text = '' } = places[index] ?? {};
      if (INDEXED.has(key)) this.#hideId(text);
    }
    for (const { kind, text } of places) {
      if (kind !== 'id' || PLAIN_ID.test(text) || this.#ids.has(text)) continue;
      const inId = await this.#detectIn(new PartReader(text));
      for (const { value, rule } of inId) this.#remember(value, rule);
      if (inId.length > 0) this.#hideId(text);
    }
    return found;
  }

  async #detectIn(parts: Iterable<ReadPart>): Promise<readonly Secret[]> {
    const found: Secret[] = [];
    for (const { start, readings } of parts) {
      for (const secret of await this.#detect(readings)) found.push(moveTo(secret, start));
    }
    return found;
  }

  #remember(value: string, rule: string): void {
    const parts = listParts(value, rule);
    // Base64 and its text are one secret. Each value of a cookie is another.
    const isOne = rule !== 'cookie';
    const known = [value, ...(isOne ? parts : [])].find((one) => this.#values.has(one));
    const whole = this.#getWhole(known ?? value);
    const how = NAMED.has(rule) ? 'named' : 'shaped';
    this.#rememberOne(value, how, { rule, whole });
    const others = this.#values.has(value) ? 'others' : how;
    for (const one of listShorter(value)) this.#rememberOne(one, others, { rule, whole });
    for (const one of parts) this.#rememberOne(one, others, { rule, whole: isOne ? whole : one });
  }

  #rememberOne(
    value: string,
    how: keyof typeof MAX_REMEMBERED,
    { rule, whole }: { readonly rule: string; readonly whole: string },
  ): void {
    if (this.#remembered[how] + value.length > MAX_REMEMBERED[how]) return;
    if (!isMemorable(value) || this.#values.has(value)) return;
    this.#remembered[how] += value.length;
    this.#add(value, rule, whole);
  }

  #add(secret: string, rule: string, whole: string): void {
    for (const value of listReadings(secret)) {
      if (this.#values.has(value)) continue;
      this.#rules.set(value, rule);
      this.#wholes.set(value, whole);
      this.#values.add(value);
    }
  }

  /** The secret that a text is, in whatever way it is written. */
  #getWhole(value: string): string {
    return this.#wholes.get(value) ?? this.#exactWholes.get(value) ?? value;
  }

  /** Finds known secrets, in whatever way they are written. */
  #recognize(parts: PartReader): readonly Secret[] {
    // A value of the list may be longer than what two parts have in common.
    const found = parts.isLong ? [...this.#recognizeIn(View.of(parts.text))] : [];
    for (const { start, readings } of parts) {
      const { plain, joined, decoded } = readings;
      const whole = readWhole(readings, this.#values.haveBlanks);
      for (const view of [...plain, ...joined, ...decoded, ...readUnbroken(readings), ...whole]) {
        for (const secret of this.#recognizeIn(view)) found.push(moveTo(secret, start));
      }
    }
    return found;
  }

  #recognizeIn(view: View): readonly Secret[] {
    return this.#values.find(view.text).map((sighting) => {
      const { value } = sighting;
      const { start, end } = view.locate(sighting);
      return { start, end, value, rule: this.#rules.get(value) ?? 'secret-file' };
    });
  }

  #recordAll(cuts: readonly Cut[], line: number, field: string): void {
    const counts = new Map<string, number>();
    for (const { secret } of cuts) {
      const whole = this.#getWhole(secret.value);
      const count = (counts.get(whole) ?? 0) + 1;
      counts.set(whole, count);
      this.#record(secret, line, field, count);
    }
  }

  /** Records a secret once for a place: a line that is shown again has the same ones. */
  #record({ value, rule }: Secret, line: number, field: string, count: number): void {
    const whole = this.#getWhole(value);
    const secret = this.#numbers.get(whole) ?? this.#numbers.size + 1;
    this.#numbers.set(whole, secret);
    this.#redactions.set(JSON.stringify([rule, secret, line, field]), {
      rule,
      secret,
      line,
      field,
      count,
    });
  }
}

interface ExactValues {
  readonly values: KnownValues;
  readonly wholes: ReadonlyMap<string, string>;
}

const known = new WeakMap<readonly string[], ExactValues>();

/** Makes the values of a list once: every session of an export has a redactor of its own. */
function knowExact(exact: readonly string[]): ExactValues {
  const made = known.get(exact);
  if (made) return made;
  const values = new KnownValues();
  const wholes = new Map<string, string>();
  for (const secret of exact) {
    for (const value of listReadings(secret)) {
      values.add(value);
      if (!wholes.has(value)) wholes.set(value, secret);
    }
  }
  // A secret that is a reading of another is one of its own.
  for (const secret of exact) wholes.set(secret, secret);
  known.set(exact, { values, wholes });
  return { values, wholes };
}

function cutOut({ kind, text }: Place, cuts: readonly Cut[]): string | undefined {
  if (kind === 'deep') return '[REDACTED:nested-too-deep]';
  if (cuts.length > 0 && kind === 'opaque') return undefined;
  return cutFromText(text, cuts);
}
