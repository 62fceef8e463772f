import { isObject } from '../../../jsonl/edit/json.ts';
import type { Entry } from '../../../model/entry.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { Session } from '../../../model/session.ts';
import { CURRENT_VERSION } from '../format.ts';
import { toEntry } from '../entry/to-entry.ts';
import type { LineFold, SourceFile } from '../../../dialect/fold.ts';
import { INDEX_PLAN } from './plans.ts';

/**
 * Builds the index of a session of Neovate. Lines that do not parse are skipped; the agent
 * itself does not open such a file, which the summary and the rules say.
 */
export class SessionIndexer implements LineFold<Session> {
  readonly plan = INDEX_PLAN;
  readonly #entries: Entry[] = [];
  #copiedEnd = 0;

  visit({ number, offset, length }: Line, content: LineContent): void {
    if (content.kind !== 'object') return;
    if (isObject(content.value['forkedFrom'])) this.#copiedEnd = offset + length;
    this.#entries.push(toEntry(content.value, { line: number, offset, length }));
  }

  finish({ path, stamp }: SourceFile): Session {
    return {
      path,
      agent: 'neovate',
      formatVersion: CURRENT_VERSION,
      header: undefined,
      entries: this.#entries,
      copiedEnd: this.#copiedEnd,
      pathOrder: 'file',
      stamp,
    };
  }
}
