import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { parseLine } from '../../../jsonl/read/parse-line.ts';
import type { OldEntries, OldEntryFinder } from '../../../dialect/migration.ts';
import { hasOldRole, isHeader, isTitleLine, isV1Entry } from '../format.ts';

/** The beginning of an entry as pi writes it, unless an extension did. */
const CURRENT =
  /^\{"type":"(?:message","id":"([\w-]+)","parentId":(?:null|"[\w-]+"),"timestamp":"[^"\\]+","message":\{"role":"(?!hookMessage")|(?!session"|message"|title")\w+","id":"([\w-]+)","parentId":(?:null|"[\w-]+"),)/;
const BEGINNING_BYTES = 256;

/**
 * Counts what the agent's own fork leaves behind: entries of v1 or v2 under a header of v3. Parses
 * only the lines whose beginning is not enough.
 */
export class PiOldEntryFinder implements OldEntryFinder {
  readonly takenIds = new Set<string>();
  #withoutId = 0;
  #withOldRole = 0;

  get found(): OldEntries {
    return { withoutId: this.#withoutId, withOldRole: this.#withOldRole };
  }

  readonly visit = (line: Line): void => {
    const known = CURRENT.exec(line.bytes.toString('latin1', 0, BEGINNING_BYTES));
    if (known) {
      this.takenIds.add(known[1] ?? known[2] ?? '');
      return;
    }
    const content = parseLine(line);
    if (content.kind === 'object') this.#addEntry(content.value);
  };

  #addEntry(value: JsonObject): void {
    if (isHeader(value) || isTitleLine(value)) return;
    const id = getString(value, 'id');
    if (id !== undefined) this.takenIds.add(id);
    if (isV1Entry(value)) this.#withoutId += 1;
    if (hasOldRole(value)) this.#withOldRole += 1;
  }
}
