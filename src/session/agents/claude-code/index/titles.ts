import type { SummaryFacts } from '../../../dialect/dialect.ts';
import { getString, isTextIfAny, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { AsideType } from '../format.ts';

/** Best first: the type of a line, and the key of its title. */
const KEYS: ReadonlyMap<string, string> = new Map<AsideType, string>([
  ['custom-title', 'customTitle'],
  ['ai-title', 'aiTitle'],
  ['summary', 'summary'],
]);

const TAG = 'tag';

function getKey(type: string): string | undefined {
  return type === TAG ? TAG : KEYS.get(type);
}

/** The titles of a session, and its tag: of each kind the last counts, and an empty one takes it away. */
export class Titles {
  readonly #last = new Map<string, string>();

  /** Returns whether a line of this type is a title. */
  static has(type: string): boolean {
    return KEYS.has(type);
  }

  /** Returns whether a title or a tag is one, in a line that has such. */
  static isReadable(value: JsonObject): boolean {
    const key = getKey(getString(value, 'type') ?? '');
    return key === undefined || isTextIfAny(value, key);
  }

  add(value: JsonObject): void {
    const type = getString(value, 'type') ?? '';
    const key = getKey(type);
    const title = key === undefined ? undefined : getString(value, key);
    if (title !== undefined) this.#last.set(type, title);
  }

  /** Returns whether a line is a name or a tag that a person gave. */
  static isGiven({ type }: JsonObject): boolean {
    return type === 'custom-title' || type === TAG;
  }

  /** Describes the name, and whether a person has tagged the session, and not taken the tag away. */
  describe(): Pick<SummaryFacts, 'name' | 'labelCount' | 'givenName'> {
    const given = this.#last.get('custom-title')?.trim();
    const labelCount = (this.#last.get(TAG) ?? '') === '' ? 0 : 1;
    return { name: this.best, labelCount, ...(given !== undefined && { givenName: given }) };
  }

  /** A person's title counts before a model's. */
  get best(): string | null {
    for (const type of KEYS.keys()) {
      const title = this.#last.get(type)?.trim();
      if (title) return title;
    }
    return null;
  }
}
