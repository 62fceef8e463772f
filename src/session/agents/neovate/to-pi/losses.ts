import { getNumber, getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { LineProblem } from '../../../dialect/migration.ts';
import { isMessage, getParts } from '../format.ts';
import { describeOpenCall, listNames } from '../../../rules/losses.ts';
import { readUsage, USAGE_FIELDS } from '../entry/entry-usage.ts';
import { getText, getToolOutcomes } from '../entry/parts.ts';
import { hasUnknownParts } from './to-message.ts';

type Code =
  | 'thought'
  | 'description'
  | 'display'
  | 'backup'
  | 'part'
  | 'parent'
  | 'model'
  | 'field'
  | 'usage'
  | 'text'
  | 'title'
  | 'approval';

const WORDS: Readonly<Record<Code, readonly [one: string, many: string]>> = {
  thought: [
    '1 thought has no signature: pi replays it as text',
    'thoughts have no signature: pi replays them as text',
  ],
  description: [
    '1 tool call loses what people were shown of it',
    'tool calls lose what people were shown of them',
  ],
  display: [
    '1 message loses the words that stood for it on the screen',
    'messages lose the words that stood for them on the screen',
  ],
  backup: [
    '1 record of file backups is kept, but not the files, and pi does not restore them',
    'records of file backups are kept, but not the files, and pi does not restore them',
  ],
  part: [
    '1 message loses a part that pi does not know',
    'messages lose parts that pi does not know',
  ],
  parent: [
    '1 message names the session it was forked from; pi has no field for it',
    'messages name the session they were forked from; pi has no field for it',
  ],
  model: ['1 answer names no model', 'answers name no model'],
  field: [
    '1 message loses fields that pi does not know',
    'messages lose fields that pi does not know',
  ],
  usage: [
    '1 answer loses numbers of its usage that pi does not know',
    'answers lose numbers of their usage that pi does not know',
  ],
  text: [
    '1 answer loses a text that differs from its content',
    'answers lose texts that differ from their content',
  ],
  title: [
    '1 earlier title is left out: pi keeps the last one as the name',
    'earlier titles are left out: pi keeps the last one as the name',
  ],
  approval: [
    'the settings are kept, but pi does not read them: approvals, pasted text and images',
    'settings are kept, but pi does not read them: approvals, pasted text and images',
  ],
};

interface Loss {
  /** The first one. */
  readonly line: number;
  readonly last: number;
  count: number;
  readonly names: Set<string>;
}

const MAX_NAME = 40;

/** Counts what pi has no place for, line by line. */
export class Losses {
  readonly #found = new Map<Code, Loss>();
  /** Line of the last title. */
  #title: number | undefined;
  readonly #open = new Map<string, { name: string; line: number }>();

  visit(value: JsonObject, line: number): void {
    if (!isMessage(value)) return this.#visitAside(value, line);
    for (const part of getParts(value)) {
      if (part['type'] === 'reasoning') this.#count('thought', line);
      if (part['type'] !== 'tool_use') continue;
      if ('description' in part || 'displayName' in part) this.#count('description', line);
      this.#open.set(getString(part, 'id') ?? '', { name: getString(part, 'name') ?? '', line });
    }
    for (const { callId } of getToolOutcomes(value)) this.#open.delete(callId);
    if ('uiContent' in value && value['parentUuid'] !== null) this.#count('display', line);
    if (hasUnknownParts(value)) this.#count('part', line);
    this.#visitFields(value, line);
    if ('forkedFrom' in value) this.#count('parent', line);
    const isAnswer = value['role'] === 'assistant';
    if (isAnswer && typeof value['model'] !== 'string') this.#count('model', line);
  }

  /** Lists them in line order; of each kind one, at the first line of its kind. */
  list(): readonly LineProblem[] {
    const counted = [...this.#found].map(([code, { line, count, names }]) => {
      const [one, many] = WORDS[code];
      const message = count === 1 ? one : `${count} ${many}`;
      return { line, code: `${code}-lost`, message: message + listNames([...names]) };
    });
    const open = [...this.#open.values()].map(({ name, line }) => describeOpenCall(line, name));
    return [...counted, ...open].toSorted((a, b) => a.line - b.line);
  }

  #visitFields(value: JsonObject, line: number): void {
    for (const name of findUnknownFields(value)) this.#count('field', line, name);
    const usage = getObject(value, 'usage') ?? {};
    const numbers = Object.keys(usage).filter((name) => !USAGE_FIELDS.has(name));
    const total = getNumber(usage, 'totalTokens');
    const isOff = total !== undefined && total !== readUsage(value)?.totalTokens;
    for (const name of isOff ? [...numbers, 'totalTokens'] : numbers) {
      this.#count('usage', line, name);
    }
    const text = getString(value, 'text');
    if (text !== undefined && text !== '' && text !== getText(value)) this.#count('text', line);
  }

  #visitAside(value: JsonObject, line: number): void {
    const settings = getObject(value, 'config');
    const type = value['type'];
    if (type === 'config' && Object.keys(settings ?? {}).some((key) => key !== 'summary')) {
      this.#count('approval', line);
    }
    if (type === 'custom-title') {
      if (this.#title !== undefined) this.#count('title', this.#title);
      this.#title = line;
    }
    if (type === 'snapshot' || type === 'file-history-snapshot') this.#count('backup', line);
  }

  /** Counts a line once for its names, however many there are; `name` is what of it. */
  #count(code: Code, line: number, name?: string): void {
    const found = this.#found.get(code) ?? { line, last: 0, count: 0, names: new Set() };
    if (name !== undefined) found.names.add(name);
    if (found.last !== line || name === undefined) found.count += 1;
    this.#found.set(code, { ...found, last: line });
  }
}

/** The members that are converted for pi, or whose loss has a message of its own. */
const MESSAGE_FIELDS: ReadonlySet<string> = new Set(
  'type uuid parentUuid role content timestamp sessionId uiContent hidden text model usage forkedFrom'.split(
    ' ',
  ),
);

const PART_FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    text: 'type text',
    reasoning: 'type text',
    image: 'type data mimeType',
    tool_use: 'type id name input description displayName',
    'tool-result': 'type toolCallId toolName input result',
    tool_result: 'type id name input result',
  }).map(([type, names]) => [type, new Set(names.split(' '))]),
);

const RESULT_FIELDS: ReadonlySet<string> = new Set(['llmContent', 'isError', 'returnDisplay']);

/** Names of fields, which are the session's own words: shortened. */
function findUnknownFields(message: JsonObject): readonly string[] {
  const unknown = (value: JsonObject, known: ReadonlySet<string> | undefined) =>
    Object.keys(value).filter((name) => known?.has(name) === false);
  const parts = getParts(message).flatMap((part) => [
    ...unknown(part, PART_FIELDS.get(getString(part, 'type') ?? '')),
    ...unknown(getObject(part, 'result') ?? {}, RESULT_FIELDS),
  ]);
  return [...unknown(message, MESSAGE_FIELDS), ...parts].map((name) => name.slice(0, MAX_NAME));
}
