import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import { getRecorded, placeIn } from './corpus.ts';

/** Two turns and a command, as the client has recorded them in both modes. */
const SOURCES = { paginated: 'linear-tools', legacy: 'legacy-linear' } as const;
export type Mode = keyof typeof SOURCES;

type Change = (text: Buffer) => Buffer | string;

/** One fault of a rollout, and what the client does about it. */
export interface Damage {
  readonly what: string;
  readonly mode: Mode;
  /** What is done to the bytes. */
  readonly change?: Change;
  /** What is done to the file; returns its path. */
  readonly move?: (path: string) => Promise<string>;
  readonly lists: boolean;
  readonly opens: boolean;
}

type Row = Omit<Damage, 'mode' | 'what' | 'lists' | 'opens'> & Partial<Damage>;
type Lines = readonly string[];
type Edit = (record: JsonObject) => JsonObject;

const withMode =
  (mode: Mode) =>
  (what: string, row: Row): readonly Damage[] => [{ lists: true, opens: true, ...row, what, mode }];
const paginated = withMode('paginated');
const legacy = withMode('legacy');
const both = (what: string, row: Row, ofLegacy: Partial<Row> = {}): readonly Damage[] => [
  ...paginated(what, row),
  ...legacy(what, { ...row, ...ofLegacy }),
];
/** A change after which the client lists and opens the thread. */
const still = (change: Change): Row => ({ change });
const unopened = (change: Change): Row => ({ change, opens: false });
const unlisted = (change: Change): Row => ({ change, lists: false });
const gone = (change: Change): Row => ({ change, lists: false, opens: false });

const ofLines =
  (change: (lines: Lines) => Lines): Change =>
  (text) =>
    change(text.toString('utf8').split(/(?<=\n)/)).join('');
const edit = (line: string, change: Edit): string =>
  `${JSON.stringify(change(JSON.parse(line) as JsonObject))}\n`;
/** Changes one record; 1-based. */
const ofRecord = (number: number, change: Edit): Change =>
  ofLines((lines) => lines.map((line, at) => (at + 1 === number ? edit(line, change) : line)));
const toPayload: Edit = ({ payload }) => payload as JsonObject;
const ofRecords = (change: Edit): Change =>
  ofLines((lines) => lines.map((line) => edit(line, change)));
const without = (...numbers: readonly number[]): Change =>
  ofLines((lines) => lines.filter((_, at) => !numbers.includes(at + 1)));
const only = (keep: (record: JsonObject) => boolean): Change =>
  ofLines((lines) => lines.filter((line) => keep(JSON.parse(line) as JsonObject)));
const insert = (after: number, line: string | ((lines: Lines) => string)): Change =>
  ofLines((lines) => lines.toSpliced(after, 0, typeof line === 'string' ? line : line(lines)));

/** The record without one field, or with another value in it. */
const set =
  (key: string, value?: JsonObject[string]): Edit =>
  (record) => {
    const { [key]: _, ...rest } = record;
    return value === undefined ? rest : { ...rest, [key]: value };
  };
const inPayload =
  (change: Edit): Edit =>
  (record) => ({ ...record, payload: change(record['payload'] as JsonObject) });
const ofPayload = (number: number, key: string, value?: JsonObject[string]): Change =>
  ofRecord(number, inPayload(set(key, value)));
const ofHeader = (key: string, value?: JsonObject[string]): Change => ofPayload(1, key, value);
const renumber = (to: (ordinal: number) => number): Change =>
  ofRecords((record) => ({ ...record, ordinal: to(record['ordinal'] as number) }));

const isEvent = ({ type }: JsonObject): boolean => type === 'event_msg';
const isPrompt = (record: JsonObject): boolean =>
  isEvent(record) && /"user_message"|"UserMessage"/.test(JSON.stringify(record));
const ofPrompts = (change: Edit): Change =>
  ofRecords((record) => (isPrompt(record) ? inPayload(change)(record) : record));

const ID = /01a1fff[15]-[0-9a-f]{4}/g;
const headerOfOther = (lines: Lines): string => (lines[0] ?? '').replaceAll(ID, '01a1ffff-1111');
const renamed =
  (to: (path: string) => string) =>
  async (path: string): Promise<string> => {
    const target = to(path);
    await mkdir(dirname(target), { recursive: true });
    await rename(path, target);
    return target;
  };

const BARE = '{"type":"message","role":"user","content":[{"type":"input_text","text":"Before"}]}\n';
const NULS = '\0'.repeat(40);

/** Everything that the client was seen to meet, and a few more faults. */
export const DAMAGE: readonly Damage[] = [
  both(
    'nothing',
    still((text) => text),
  ),
  // Lines.
  both(
    'a torn last line',
    still((text) => text.subarray(0, -40)),
  ),
  both('a malformed line', still(ofLines((lines) => lines.with(14, '{"timestamp": nope}\n')))),
  both('a line of NUL bytes', still(insert(10, `${NULS}\n`))),
  both(
    'NUL bytes at the end',
    still((text) => Buffer.concat([text, Buffer.from(NULS)])),
  ),
  both('NUL bytes before a record', still(ofLines((lines) => lines.with(9, `${NULS}${lines[9]}`)))),
  both(
    'two records on one line',
    still(ofLines((lines) => lines.with(9, (lines[9] ?? '').trimEnd()))),
  ),
  both('blank lines', still(insert(10, '\n  \n'))),
  both('CRLF', still(ofLines((lines) => lines.map((line) => line.replace('\n', '\r\n'))))),
  both(
    'no final newline',
    still((text) => text.subarray(0, -1)),
  ),
  both('an unknown field', still(ofRecord(10, set('extra', 1)))),
  both('time going backwards', still(ofRecord(16, set('timestamp', '2026-11-20T00:00:00.000Z')))),
  both(
    'a byte that is not UTF-8',
    gone((text) => text.fill(0xff, text.indexOf('Thanks'), text.indexOf('Thanks') + 1)),
  ),
  both(
    'a byte order mark',
    unopened((text) => Buffer.concat([Buffer.from('\u{feff}'), text])),
  ),
  legacy(
    'half of a surrogate pair',
    still((text) =>
      text.toString('utf8').replace('There is one file.","annotations', '\\ud800","annotations'),
    ),
  ),
  // Headers.
  both('no header', unopened(without(1))),
  both(
    'the header on line 4',
    unopened(ofLines(([header = '', ...rest]) => rest.toSpliced(3, 0, header))),
  ),
  both('a header without cli_version', unopened(ofHeader('cli_version'))),
  both('a header whose cwd is a number', unopened(ofHeader('cwd', 3))),
  legacy('a header whose id is no UUID', unopened(ofHeader('id', 'abc'))),
  legacy('a header whose git is a text', unopened(ofHeader('git', 'abc'))),
  legacy(
    'a header whose base instructions are a text',
    unopened(ofHeader('base_instructions', 'abc')),
  ),
  legacy('a header whose source is a number', unopened(ofHeader('source', 3))),
  both('a header whose session is null', unopened(ofHeader('session_id', null))),
  both('a header whose context window is a text', unopened(ofHeader('context_window', 'x'))),
  both('a header whose roots are a text', unopened(ofHeader('runtime_workspace_roots', 'x'))),
  paginated('a header whose base is a text', unopened(ofHeader('history_base', 'x'))),
  both('an object before the header', unopened(insert(0, '{}\n'))),
  both('a bare item before the header', unopened(insert(0, BARE))),
  both('a bare state before the header', unopened(insert(0, '{"record_type":"state"}\n'))),
  both('an object instead of the header', unopened(ofLines((lines) => lines.with(0, '{}\n')))),
  both('a header without a payload', unopened(ofRecord(1, set('payload')))),
  both('a header without a type', unopened(ofRecord(1, set('type')))),
  legacy('a header whose time is none', still(ofHeader('timestamp', 'never'))),
  both('the header again, below', still(insert(19, ([header = '']) => header))),
  both('the header of another thread, below', still(insert(19, headerOfOther))),
  both('the header of another thread, at the top', still(insert(1, headerOfOther))),
  both('an unknown history mode', gone(ofHeader('history_mode', 'other'))),
  both('an unknown source', still(ofHeader('source', 'elsewhere'))),
  legacy('claims to be paginated', unopened(ofHeader('history_mode', 'paginated'))),
  paginated('claims to be legacy', still(ofHeader('history_mode', 'legacy'))),
  paginated('names no history mode', still(ofHeader('history_mode'))),
  // Whole files.
  both(
    'an empty file',
    gone(() => ''),
  ),
  both(
    'only a newline',
    gone(() => '\n'),
  ),
  both('only a header', unlisted(ofLines((lines) => lines.slice(0, 1)))),
  // Calls and types.
  paginated('a call without output', still(without(14))),
  legacy('a call without output', still(without(13))),
  both('an output without call', still(without(11))),
  both('a line of an unknown type', still(ofRecord(16, set('type', 'novelty')))),
  both('an event of an unknown type', still(ofRecord(9, set('payload', { type: 'novelty' })))),
  legacy('an item of an unknown type', still(ofPayload(16, 'type', 'novelty'))),
  // Fields.
  both('a record without a time', still(ofRecord(7, set('timestamp')))),
  paginated('an answer without an envelope', still(ofRecord(17, toPayload))),
  legacy('an answer without an envelope', still(ofRecord(16, toPayload))),
  paginated('an output without an envelope', still(ofRecord(14, toPayload))),
  legacy('an output without an envelope', still(ofRecord(13, toPayload))),
  both('a state of an old release', still(insert(9, '{"record_type":"state"}\n'))),
  both('a time that is a number', still(ofRecord(16, set('timestamp', 3)))),
  both('a time that is any text', still(ofRecord(16, set('timestamp', 'yesterday')))),
  legacy('metadata that is a number', still(ofRecord(16, set('metadata', 3)))),
  both('a line without a type', still(ofRecord(7, set('type')))),
  both('a line without a payload', still(ofRecord(7, set('payload')))),
  both('an object without members', still(insert(9, '{}\n'))),
  both(
    'a prompt whose notes are a text',
    still(ofPayload(7, 'internal_chat_message_metadata_passthrough', 'x')),
  ),
  both(
    'a prompt whose count is a text',
    still(ofRecord(7, set('metadata', { history_sequence: 'x' }))),
  ),
  paginated('a prompt that ended at null', still(ofPayload(8, 'completed_at_ms', null))),
  paginated('a prompt without its id', still(ofPayload(8, 'item', { type: 'UserMessage' }))),
  both('a world without a state', still(ofRecord(4, set('payload', {})))),
  legacy('a message without a role', still(ofPayload(16, 'role'))),
  legacy('a message whose content is a text', still(ofPayload(16, 'content', 'x'))),
  legacy(
    'a message with a part of an unknown type',
    still(ofPayload(16, 'content', [{ type: 'novelty' }])),
  ),
  legacy(
    'a message with a part without text',
    still(ofPayload(16, 'content', [{ type: 'output_text' }])),
  ),
  legacy('a call without arguments', still(ofPayload(11, 'arguments'))),
  legacy('a call without an id', still(ofPayload(11, 'call_id'))),
  legacy('a call whose arguments are an object', still(ofPayload(11, 'arguments', { a: 1 }))),
  legacy('an output of nothing', still(ofPayload(13, 'output'))),
  legacy('an output that is a number', still(ofPayload(13, 'output', 3))),
  legacy('an output that is an object', still(ofPayload(13, 'output', { content: 'x' }))),
  legacy('a thought without a summary', still(ofPayload(10, 'summary'))),
  legacy('surroundings without a directory', still(ofPayload(21, 'cwd'))),
  legacy('prompts without a text', unlisted(ofPrompts(set('message')))),
  legacy('prompts whose images are a number', unlisted(ofPrompts(set('images', 3)))),
  // Ordinals.
  paginated(
    'a gap in the ordinals',
    still(renumber((ordinal) => ordinal + (ordinal > 12 ? 5 : 0))),
  ),
  paginated('shifted ordinals', still(renumber((ordinal) => ordinal + 7))),
  paginated('one ordinal missing', still(ofRecord(16, set('ordinal')))),
  paginated('one ordinal a text', still(ofRecord(17, set('ordinal', '16')))),
  paginated('one ordinal a fraction', still(ofRecord(17, set('ordinal', 15.5)))),
  paginated('one ordinal negative', still(ofRecord(17, set('ordinal', -1)))),
  paginated('one ordinal null', still(ofRecord(17, set('ordinal', null)))),
  paginated('an ordinal twice', still(ofRecord(17, set('ordinal', 15)))),
  paginated('an ordinal too small', still(ofRecord(17, set('ordinal', 3)))),
  paginated('no ordinals', unopened(ofRecords(set('ordinal')))),
  paginated('no ordinal in the last line', unopened(ofRecord(29, set('ordinal')))),
  legacy('one ordinal a text', still(ofRecord(16, set('ordinal', 'x')))),
  legacy('one ordinal', still(ofRecord(16, set('ordinal', 4)))),
  // Turns.
  paginated('a turn without an end', still(without(20))),
  legacy('a turn without an end', still(without(19))),
  both('a turn without a beginning', still(without(2))),
  both('no turn_context', still(only(({ type }) => type !== 'turn_context'))),
  both('no prompt among the events', unlisted(only((record) => !isPrompt(record)))),
  both('items only', unlisted(only((record) => !isEvent(record)))),
  both('events only', still(only(({ type }) => type !== 'response_item'))),
  // Names and places.
  both('a wrong date in its name', {
    move: renamed((path) => path.replace('rollout-2026', 'rollout-2020')),
  }),
  both('directly in sessions', { move: renamed((path) => path.replace('/2026/11/21', '')) }),
  both('a name that is not the client’s', {
    move: renamed((path) => join(dirname(path), 'mine.jsonl')),
    lists: false,
    opens: false,
  }),
  both(
    'a suffix in its name',
    { move: renamed((path) => path.replace('.jsonl', ' (copy).jsonl')), opens: false },
    { opens: true },
  ),
  both('another id in its name', { move: renamed((path) => path.replace(ID, '01a1ffff-1111')) }),
  both('a copy under another name', {
    async move(path) {
      await writeFile(path.replace('T21-', 'T22-'), await readFile(path));
      return path;
    },
  }),
].flat();

/** Puts the file of a row into a home, and damages it; returns its path. */
export async function placeDamaged(home: string, { mode, change, move }: Damage): Promise<string> {
  const path = await placeIn(home, getRecorded(SOURCES[mode]));
  if (change) await writeFile(path, change(await readFile(path)));
  return (await move?.(path)) ?? path;
}

export function getThreadId(mode: Mode): string {
  return String(getRecorded(SOURCES[mode]).resume['id']);
}
