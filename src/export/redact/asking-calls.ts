import type { JoinedPlaces } from './join-places.ts';
import type { Place } from './places.ts';
import type { Secret } from './secrets/detect-secrets.ts';
import { findPrinted, printsSecret } from './secrets/outputs.ts';

/** Members of a call that say what it runs or reads, and of a result that hold what was printed. */
const RUNS = /^(?:command|cmd|arguments|script|input|chars|code)$/;
const READS = /^(?:file_?path|path)$/i;
const PRINTED =
  /^(?:text|content|output|stdout|stderr|aggregated_?output|formatted_output|llmContent|returnDisplay|result)$/i;
/** Relate a call and its result. The id of an entry has no object around it. */
const RELATES = /.\.(?:id|call_?id|toolCallId|tool_use_id)$|^call_id$/i;
/** Claude Code writes a result twice. */
const SECOND_RESULT = 'toolUseResult';

/** The calls of a session that print a secret: what they print has no name of its own. */
export class AskingCalls {
  readonly #ids = new Set<string>();

  /** Finds what such calls of earlier lines, or of this, have printed. */
  find(places: readonly Place[], joined: JoinedPlaces): readonly Secret[] {
    const parents = places.filter(asksForSecret).map(({ field }) => toParent(field));
    for (const { field, text } of places) {
      if (!RELATES.test(field)) continue;
      const parent = toParent(field);
      if (parents.some((asking) => isWithin(asking, parent))) this.#ids.add(text);
      else if (this.#ids.has(text)) parents.push(parent, SECOND_RESULT);
    }
    if (parents.length === 0) return [];
    return joined.starts.flatMap(([start, index]) => {
      const { field = '', key = '', kind, text = '' } = places[index] ?? {};
      if (kind !== 'text' || !PRINTED.test(key)) return [];
      if (!parents.some((parent) => isWithin(field, parent))) return [];
      const range = findPrinted(text);
      if (!range) return [];
      const value = text.slice(range.start, range.end);
      return [
        { rule: 'printed-secret', start: start + range.start, end: start + range.end, value },
      ];
    });
  }
}

function asksForSecret({ key, kind, text }: Place): boolean {
  if (kind !== 'text') return false;
  return RUNS.test(key) ? printsSecret(text) : READS.test(key) && printsSecret(`cat ${text}`);
}

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
