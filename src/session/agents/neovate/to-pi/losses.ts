import { getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { LineProblem } from '../../../dialect/migration.ts';
import { isMessage, getParts } from '../format.ts';
import { getToolOutcomes } from '../entry/parts.ts';
import { hasUnknownParts } from './to-message.ts';

type Code =
  | 'thought'
  | 'description'
  | 'display'
  | 'backup'
  | 'part'
  | 'parent'
  | 'model'
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
  approval: [
    'the settings are kept, but pi does not read them: approvals, pasted text and images',
    'settings are kept, but pi does not read them: approvals, pasted text and images',
  ],
};

/** Counts what pi has no place for, line by line. */
export class Losses {
  readonly #found = new Map<Code, { line: number; count: number }>();
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
    if ('forkedFrom' in value) this.#count('parent', line);
    const isAnswer = value['role'] === 'assistant';
    if (isAnswer && typeof value['model'] !== 'string') this.#count('model', line);
  }

  /** In line order; of each kind one, at the first line of its kind. */
  list(): readonly LineProblem[] {
    const counted = [...this.#found].map(([code, { line, count }]) => {
      const [one, many] = WORDS[code];
      return { line, code: `${code}-lost`, message: count === 1 ? one : `${count} ${many}` };
    });
    const open = [...this.#open.values()].map(({ name, line }) => {
      const message = `a call of ${name} has no result: pi reports that to the model`;
      return { line, code: 'tool-use-open', message };
    });
    return [...counted, ...open].toSorted((a, b) => a.line - b.line);
  }

  #visitAside(value: JsonObject, line: number): void {
    const settings = getObject(value, 'config');
    const type = value['type'];
    if (type === 'config' && Object.keys(settings ?? {}).some((key) => key !== 'summary')) {
      this.#count('approval', line);
    }
    if (type === 'snapshot' || type === 'file-history-snapshot') this.#count('backup', line);
  }

  #count(code: Code, line: number): void {
    const found = this.#found.get(code);
    if (found) found.count += 1;
    else this.#found.set(code, { line, count: 1 });
  }
}
