import { isArray, type JsonObject, type JsonValue } from '../../session/jsonl/edit/json.ts';
import { PROGRAMS } from './secrets/program-table.ts';
import { takesSecret } from './secrets/inputs.ts';

/** Members that name a program, and those that hold its arguments or what it reads. */
const PROGRAM =
  /^(?:command|cmd|program|executable|exe|file|bin|binary|path|entry_?point|runtime_?executable)$/i;
const ARGUMENTS =
  /^(?:args?|arguments|argv|arg(?:ument)?_?list|params|parameters|cmd|(?:runtime|command|cmd|program)_?args)$/i;
const INPUT = /^(?:stdin|input|std_?input|input_?text)$/i;
/** More are a list of something else. */
const MAX_ARGUMENTS = 1000;
/** A longer program is a script. */
const MAX_PROGRAM = 300;
/** A single line that is not JSON. */
const LINE_OF_WORDS = /^[^[{\r\n][^\r\n]{0,10000}$/;

/** The names of the members of a call. */
export interface Call {
  readonly program: string;
  readonly args: ReadonlySet<string>;
}

/**
 * Finds the members in which an object has a program, and apart from it its arguments. A directory or a file may stand
 * before the program, and other arguments before its own.
 */
export function findCall(value: JsonObject): Call | undefined {
  const entries = Object.entries(value);
  const programs = entries.filter(([name, item]) => PROGRAM.test(name) && isProgram(item));
  const [program] = programs.find(([, item]) => namesProgram(item)) ?? programs[0] ?? [];
  if (program === undefined) return undefined;
  const args = entries.filter(
    ([name, item]) => name !== program && ARGUMENTS.test(name) && areWords(item),
  );
  return args.length === 0 ? undefined : { program, args: new Set(args.map(([name]) => name)) };
}

/** Returns whether one of the words is a program that takes a secret. */
function namesProgram(item: JsonValue | undefined): boolean {
  return toCommand(item)
    .split(/\s/)
    .some((word) => PROGRAMS.has(word.replace(/^.*[/\\]/, '').replace(/\.exe$/i, '')));
}

function toCommand(item: JsonValue | undefined): string {
  const words = isArray(item) ? item : [item];
  return words.filter((word) => typeof word === 'string').join(' ');
}

function isProgram(item: JsonValue | undefined): boolean {
  return areWords(item) && (typeof item !== 'string' || item.length < MAX_PROGRAM);
}

function areWords(item: JsonValue | undefined): boolean {
  return isArray(item) ? areTexts(item) : typeof item === 'string' && LINE_OF_WORDS.test(item);
}

function areTexts(items: readonly JsonValue[]): boolean {
  return items.length <= MAX_ARGUMENTS && items.every((item) => typeof item === 'string');
}

/** Returns whether a member is what a program reads that asks for a secret. */
export function isSecretInput(parent: JsonObject, name: string): boolean {
  if (!INPUT.test(name)) return false;
  return Object.entries(parent).some(([other, item]) => {
    const command = PROGRAM.test(other) ? toCommand(item) : '';
    return command.length < MAX_PROGRAM && takesSecret(command);
  });
}

/** Returns whether a list is a program and its arguments, such as `["mysql", "-u", "root"]`. */
export function areArguments(items: readonly JsonValue[]): boolean {
  const [program] = items;
  if (items.length > MAX_ARGUMENTS || typeof program !== 'string' || !/^[\w./-]+$/.test(program))
    return false;
  if (PROGRAMS.has(program.replace(/^.*\//, ''))) return true;
  return items.some((item) => typeof item === 'string' && /^--?[A-Za-z][\w-]*(?:=|$)/.test(item));
}
