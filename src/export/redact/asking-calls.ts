import { parseJsonObject } from '../../session/jsonl/edit/json.ts';
import type { JoinedPlaces } from './join-places.ts';
import type { Place } from './places.ts';
import type { Secret } from './secrets/detect-secrets.ts';
import {
  findPrinted,
  findPrintedForUser,
  findRunByUser,
  printsSecret,
  TYPED,
} from './secrets/outputs.ts';

/** Members of a call that say what it runs or reads, and of a result that hold what was printed. */
const RUNS = /^(?:command|cmd|arguments|script|input|chars|code)$/;
const READS = /^(?:(?:file|relative|absolute|full|target)_?)?path$|^(?:target_?)?file(?:_?name)?$/i;
const PRINTED =
  /^(?:text|content|output|stdout|stderr|aggregated_?output|formatted_output|llmContent|returnDisplay|result|(?:old|new)_?(?:str(?:ing)?|text)|file_text|original_?file)$/i;
/** Relate a call and its result. The id of an entry has no object around it. */
const RELATES = /.\.(?:id|call_?id|toolCallId|tool_use_id)$|^call_id$/i;
/** Relates a result to its call, and nothing else. */
const ANSWERS = /\.(?:toolCallId|tool_use_id)$/;
/** Claude Code writes a result twice. */
const SECOND_RESULT = 'toolUseResult';

/** Neovate has what a command of its user printed in a member of its own, too. */
const SHOWN_FOR_USER = 'uiContent';

/** The calls of a session that print a secret: what they print has no name of its own. */
export class AskingCalls {
  readonly #ids = new Set<string>();

  /** Finds what such calls of earlier lines, or of this, have printed. */
  find(places: readonly Place[], joined: JoinedPlaces): readonly Secret[] {
    const asking = [...places.filter(asksForSecret), ...listCommands(places)];
    const parents = asking.map(({ field }) => toParent(field));
    parents.push(...places.filter(isSecretFile).map(toNamed));
    for (const { field, text } of places) {
      if (!RELATES.test(field)) continue;
      const parent = toParent(field);
      const asks = parents.some((one) => isWithin(one, parent));
      // A result of Neovate holds the input of its call, too, and still does as one of pi.
      const isResult =
        !asks ||
        ANSWERS.test(field) ||
        places.some((one) => isWithin(one.field, `${parent}.result`));
      if (isResult && (asks || this.#ids.has(text))) parents.push(parent, SECOND_RESULT);
      if (asks) this.#ids.add(text);
    }
    const isForUser = this.#isForUser(places);
    return joined.starts.flatMap(([start, index]) => {
      const { field = '', key = '', kind, text = '' } = places[index] ?? {};
      if (kind !== 'text') return [];
      const isPrinted = PRINTED.test(key) && parents.some((parent) => isWithin(field, parent));
      const isShown = isForUser && field === SHOWN_FOR_USER;
      const range =
        (isPrinted || isShown ? findPrinted(text) : isForUser && findPrintedForUser(text)) ||
        findRunByUser(text);
      if (!range) return [];
      const value = text.slice(range.start, range.end);
      return [
        { rule: 'printed-secret', start: start + range.start, end: start + range.end, value },
      ];
    });
  }

  /** Returns whether a line of Claude Code or Neovate follows on one with a command of the user that prints a secret. */
  #isForUser(places: readonly Place[]): boolean {
    const toId = (name: string): string | undefined =>
      places.find(({ field }) => field === name)?.text;
    const isTyped = places.some(({ text }) => text.startsWith(TYPED) && printsSecret(text));
    const id = isTyped ? toId('uuid') : undefined;
    if (id !== undefined) this.#ids.add(id);
    return this.#ids.size > 0 && this.#ids.has(toId('parentUuid') ?? '');
  }
}

function asksForSecret({ field, key, kind, text }: Place): boolean {
  if (kind !== 'text') return false;
  // An argument in a list has no name, or that of the option before it.
  const name = LISTED.exec(field)?.[1] ?? key;
  if (RUNS.test(name)) return [text, joinWords(text), ...listMembers(text)].some(printsSecret);
  return READS.test(name) && printsSecret(`cat ${text}`);
}

/** The members of JSON as a shell gets them: with their quotes, and a list in one line. */
function listMembers(json: string): readonly string[] {
  if (!json.startsWith('{') || json.length >= MAX_JSON) return [];
  return Object.entries(parseJsonObject(json) ?? {}).flatMap(([name, value]) => {
    if (typeof value === 'string') return [READS.test(name) ? `cat ${value}` : value];
    return Array.isArray(value) && value.every(isString) ? [value.join(' ')] : [];
  });
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

/** JSON with the words of each list, and those behind a program, on one line: `["pass", "show", "x"]`. */
function joinWords(json: string): string {
  if (!json.startsWith('{') || json.length >= MAX_JSON) return '';
  return json.replace(BETWEEN_WORDS, ' ');
}

const MAX_JSON = 10_000;
const BETWEEN_WORDS =
  /",\s{0,20}(?:"(?:args?|argv|arguments)"\s{0,4}:\s{0,4}\[\s{0,20})?"(?![\w-]{1,40}"\s{0,4}:)/g;

/** Lists of words that are a command which prints a secret; its program may be in a member beside them. */
function listCommands(places: readonly Place[]): readonly Pick<Place, 'field'>[] {
  const lists = new Map<string, string[]>();
  const programs = new Map<string, string>();
  for (const { field, kind, text } of places) {
    if (kind !== 'text') continue;
    const [list = ''] = WORDS.exec(field) ?? [];
    const words = lists.get(list);
    if (words) words.push(text);
    else if (list !== '') lists.set(list, [text]);
    else if (PROGRAM.test(field)) programs.set(toParent(field), text);
  }
  return [...lists].flatMap(([field, words]) => {
    if (words.length > MAX_WORDS) return [];
    const command = words.join(' ');
    const program = programs.get(toParent(field));
    const isAsking = printsSecret(command) || (program && printsSecret(`${program} ${command}`));
    return isAsking ? [{ field }] : [];
  });
}

const WORDS = /^(?:[^]{0,1000}\.)?(?:command|cmd|args?|argv|arguments)(?=\[\d{1,4}\]$)/;
const PROGRAM = /(?:^|\.)(?:command|cmd|program)$/;
const MAX_WORDS = 100;

/** Codex names what a patch has done to a file by its path. */
function isSecretFile({ kind, text }: Place): boolean {
  return kind === 'name' && text.includes('/') && text.length < 500 && printsSecret(`cat ${text}`);
}

/** The field of the member that a place names. */
function toNamed({ field, text }: Place): string {
  return `${field.replace(/\{\}$/, '.')}${text}`;
}

const LISTED = /(?:^|\.)(\w{1,20})\[\d{1,4}\]$/;

function toParent(field: string): string {
  return field.replace(/(?:^|\.)[^.]{0,200}$/, '');
}

function isWithin(field: string, parent: string): boolean {
  return (
    parent === '' ||
    field === parent ||
    field.startsWith(`${parent}.`) ||
    field.startsWith(`${parent}[`)
  );
}
