import { getNumber, type JsonObject, squeezeJson } from '../../../jsonl/edit/json.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { type LineContent, parseLine } from '../../../jsonl/read/parse-line.ts';
import type { LinePart } from '../../../jsonl/write/line-transform.ts';
import type { LineProblem, Migrator, MigratorOptions } from '../../../dialect/migration.ts';
import {
  getActivityTime,
  getVersion,
  hasOldRole,
  isHeader,
  isTitleLine,
  isWithoutPlace,
} from '../format.ts';
import { NeighbourTimes } from '../entry/neighbour-times.ts';
import { PlainMessages } from '../scanner/plain-messages.ts';
import { getScanner } from '../scanner/scanner.ts';
import { insertPlace } from './edit-line.ts';
import { upgradeEntry, upgradeHeader } from './upgrade-line.ts';
import { EntryChain } from './entry-chain.ts';
import { ProblemList } from '../../../migrate/problem-list.ts';

const LF = '\n';
const LINE_BREAK = /[\r\n]/g;

/**
 * Makes lines of any version lines of v3, giving the same context as pi's own migration (1.6.0,
 * `migrateToCurrentVersion`). Every byte that need not change is kept, and so is every line; of the
 * array dialect, every element that is an object or does not parse.
 */
export class LineMigrator implements Migrator {
  readonly #options: MigratorOptions;
  readonly #problems = new ProblemList();
  readonly #plain: PlainMessages | undefined;
  readonly #times: NeighbourTimes;
  #chain: EntryChain | undefined;
  /** The version that entries are upgraded from. */
  #from = 2;
  lastActivity = 0;

  constructor(options: MigratorOptions) {
    this.#options = options;
    this.#times = new NeighbourTimes(options.startTime);
    const scanner = getScanner();
    this.#plain = scanner && new PlainMessages(scanner);
  }

  get problems(): readonly LineProblem[] {
    return this.#problems.list;
  }

  readonly transform = (line: Line): readonly LinePart[] | undefined => {
    const parts = this.#migratePlain(line) ?? this.#migrateParsed(line, parseLine(line));
    if (!parts || parts.length === 0 || !line.terminated) return parts;
    return [...parts, LF];
  };

  /** A message of v1 to which nothing is done but that it gets its place. */
  #migratePlain({ bytes, oversized }: Line): readonly LinePart[] | undefined {
    const { framing, upgrades } = this.#options;
    if (!this.#chain || !upgrades || framing === 'array' || oversized) return undefined;
    if (!this.#plain?.read(bytes)) return undefined;
    this.#addActivity(this.#plain.activity);
    return insertPlace(bytes, this.#chain.addWithoutPlace(bytes), 'message');
  }

  #migrateParsed(line: Line, content: LineContent): readonly LinePart[] | undefined {
    if (!this.#options.upgrades && this.#chain) {
      // Only the header changes.
      if (content.kind === 'object') this.#addActivity(getActivityTime(content.value));
      return undefined;
    }
    return this.#options.framing === 'array'
      ? this.#migrateElement(line, content)
      : this.#migrateLine(line, content);
  }

  #migrateLine(line: Line, content: LineContent): readonly LinePart[] | undefined {
    if (content.kind === 'object') return this.#migrateObject(line.bytes, content.value, line);
    if (content.kind !== 'scalar') this.#problems.addDamage(line, content);
    // pi does not count a value that it reads as nothing.
    else if (content.value) this.#skipScalar(line);
    return undefined;
  }

  #skipScalar(line: Line): void {
    this.#chain?.skip();
    this.#problems.add(line, 'line-not-object', 'is JSON, but not an object, on which pi fails');
  }

  /** One element of the array dialect becomes one line. */
  #migrateElement(line: Line, content: LineContent): readonly LinePart[] {
    if (content.kind === 'object') {
      const bytes = squeezeJson(line.bytes);
      return this.#migrateObject(bytes, content.value, line) ?? [bytes];
    }
    if (content.kind === 'malformed') {
      this.#problems.add(line, 'line-malformed', 'an element that is not JSON: kept, on one line');
      return [Buffer.from(line.bytes.toString('latin1').replace(LINE_BREAK, ' '), 'latin1')];
    }
    this.#problems.add(line, 'line-not-object', 'an element that is not an object: left out');
    return [];
  }

  #migrateObject(bytes: Buffer, value: JsonObject, line: Line): readonly LinePart[] | undefined {
    if (isHeader(value)) return this.#migrateHeader(bytes, value);
    if (!this.#chain && isTitleLine(value)) return undefined;
    return this.#migrateEntry(bytes, value, line);
  }

  /** Later headers are a known defect; pi ignores them, but v1 counts them. */
  #migrateHeader(bytes: Buffer, header: JsonObject): readonly LinePart[] | undefined {
    const { framing, takenIds } = this.#options;
    if (this.#chain) {
      this.#chain.skip();
      return undefined;
    }
    const isLinear = framing === 'lines' && getVersion(header, framing) < 2;
    // Entries of v2 are upgraded below a header of v3, too.
    if (isLinear) this.#from = 1;
    if (framing === 'array') this.#from = 0;
    this.#chain = new EntryChain(isLinear, takenIds);
    this.#chain.skip();
    const time = this.#times.next(header);
    const edited = upgradeHeader(bytes, header, this.#from, { ...this.#options, time });
    return edited === bytes ? undefined : [edited];
  }

  #migrateEntry(bytes: Buffer, entry: JsonObject, line: Line): readonly LinePart[] | undefined {
    const activity = getActivityTime(entry);
    this.#addActivity(activity);
    const isMessage = entry['type'] === 'message' && isWithoutPlace(entry);
    this.#plain?.learn(isMessage && !hasOldRole(entry), activity);
    const place = this.#chain?.add(entry, bytes) ?? {};
    const firstKeptEntryId = place.id === undefined ? undefined : this.#findFirstKept(entry, line);
    const time = this.#from === 0 ? this.#times.next(entry) : undefined;
    const parts = upgradeEntry(bytes, entry, this.#from, { ...place, firstKeptEntryId, time });
    return parts.length === 1 && parts[0] === bytes ? undefined : parts;
  }

  #addActivity(time: number): void {
    if (time > this.lastActivity) this.lastActivity = time;
  }

  #findFirstKept(entry: JsonObject, line: Line): string | undefined {
    const index = getNumber(entry, 'firstKeptEntryIndex');
    if (entry['type'] !== 'compaction' || index === undefined) return undefined;
    const firstKept = this.#chain?.findFirstKept(index);
    if (firstKept === undefined) {
      const message = `firstKeptEntryIndex ${index} points to no entry: nothing before it is kept`;
      this.#problems.add(line, 'kept-index-nowhere', message);
    }
    return firstKept ?? undefined;
  }
}
