import type { Check, CheckedSession, Collector, FileFacts, Rule } from '../../../dialect/rule.ts';
import type { Entry } from '../../../model/entry.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { remember } from '../../../rules/remember.ts';
import { quote } from '../../../rules/wording.ts';
import { placeAroundAnswers, toUses } from '../context/around-answers.ts';
import { getBlocks, isResult } from '../format.ts';
import type { LinePlan } from '../../../jsonl/scanner/plan.ts';
import { checkNodes, NODE } from './node-lines.ts';

interface Call {
  readonly id: string;
  readonly name: string;
  readonly entry: Entry;
}

interface Unpaired {
  /** Calls without a result that something follows. */
  readonly open: readonly Call[];
  /** Calls without a result at the end of the path. */
  readonly interrupted: readonly Call[];
  readonly uncalled: readonly Omit<Call, 'name'>[];
  readonly repeated: readonly Omit<Call, 'name'>[];
}

/** A call, or the id of one that the line holds the result of. */
type Use = Omit<Call, 'entry'> | string;

const NONE: Use[] = [];

/** Gathers the calls and results of lines: ids only, once for all rules. */
class ToolUses implements Collector {
  readonly line = checkNodes((value, { offset }) => this.#add(value, offset));
  /** Most lines have one use, and a file may have as many as lines: a list for each would take more. */
  readonly #byOffset = new Map<number, Use | Use[]>();
  /** The names of tools: memory holds each once. */
  readonly #names = new Map<string, string>();
  readonly #findOn = remember((path: readonly Entry[]) => this.#pair(path));

  #add(value: JsonObject, offset: number): void {
    let uses: Use | Use[] | undefined;
    for (const block of getBlocks(value)) {
      const use = this.#toUse(block);
      if (use === undefined) continue;
      if (uses === undefined) uses = use;
      else if (Array.isArray(uses)) uses.push(use);
      else uses = [uses, use];
    }
    if (uses !== undefined) this.#byOffset.set(offset, uses);
  }

  #toUse(block: JsonObject): Use | undefined {
    if (isResult(block)) return getString(block, 'tool_use_id') ?? '';
    if (block['type'] !== 'tool_use') return undefined;
    const name = getString(block, 'name') ?? '';
    const known = this.#names.get(name) ?? name;
    this.#names.set(known, known);
    return { id: getString(block, 'id') ?? '', name: known };
  }

  /** Finds the uses on every path that is looked at, each place once. */
  *find<K extends keyof Unpaired>(
    { contexts }: CheckedSession,
    kind: K,
  ): Generator<Unpaired[K][number]> {
    const seen = new Set<string>();
    for (const path of contexts) {
      for (const found of this.#findOn(path)[kind]) {
        const key = `${found.entry.offset} ${found.id}`;
        if (!seen.has(key)) yield found;
        seen.add(key);
      }
    }
  }

  /** A result may stand before its call: the client puts it in its place. */
  #pair(path: readonly Entry[]): Unpaired {
    const calls = new Map<string, Call>();
    const results = new Set<string>();
    const repeated: Omit<Call, 'name'>[] = [];
    const uncalled: Omit<Call, 'name'>[] = [];
    for (const entry of placeAroundAnswers(path, toUses)) {
      const uses = this.#get(entry);
      for (const use of uses) {
        if (typeof use !== 'string') calls.set(use.id, { id: use.id, name: use.name, entry });
      }
      for (const id of uses) {
        if (typeof id !== 'string') continue;
        if (!calls.has(id)) uncalled.push({ id, entry });
        else if (results.has(id)) repeated.push({ id, entry });
        else results.add(id);
      }
    }
    const left = [...calls.values()].filter(({ id }) => !results.has(id));
    // Nothing but results of calls beside it may follow.
    const last = path.findLast(
      ({ type, role }) => (type === 'message' && role !== 'toolResult') || type === 'compaction',
    );
    const isLast = ({ entry }: Call): boolean =>
      entry === last || (last?.messageId !== undefined && entry.messageId === last.messageId);
    return {
      open: left.filter((call) => !isLast(call)),
      interrupted: left.filter(isLast),
      uncalled,
      repeated,
    };
  }

  #get({ offset }: Entry): readonly Use[] {
    const uses = this.#byOffset.get(offset) ?? NONE;
    return Array.isArray(uses) ? uses : [uses];
  }
}

/** The tool uses of a file, for all rules that ask. */
const findToolUses = remember((_: FileFacts) => new ToolUses());

/** The calls and results of a line. */
const USES: LinePlan = {
  ...NODE,
  message: { content: { type: 'whole', id: 'whole', name: 'whole', tool_use_id: 'whole' } },
};

/** A call that was never answered, in the middle of the conversation. */
export const callUnanswered: Rule = {
  id: 'call-unanswered',
  level: 'warning',
  fixable: false,
  summary: 'a tool call in the conversation of Claude Code without a result',
  help:
    'A call in the middle of the conversation has no result on the path: it was interrupted, or ' +
    'the line with the result is lost. Claude Code does not send the call, nor its turn if that ' +
    'holds nothing else, so the model does not know of it. Nothing fails.',
  collect: findToolUses,
  reads: USES,
  check: (report, file) =>
    checkUses(file, (uses, checked) => {
      for (const { id, name, entry } of uses.find(checked, 'open')) {
        report(entry, `the call ${quote(id)} of ${quote(name)} has no result`);
      }
    }),
};

/** A call without a result at the end of the path. */
export const callInterrupted: Rule = {
  id: 'call-interrupted',
  level: 'info',
  fixable: false,
  summary: 'a conversation of Claude Code that ends in a tool call without a result',
  help:
    'The session ended while a tool was running or waiting for permission. Claude Code since ' +
    '2.1.306 adds a result on resume that reports the interruption; earlier releases leave the ' +
    'call out. Nothing to repair.',
  collect: findToolUses,
  reads: USES,
  check: (report, file) =>
    checkUses(file, (uses, checked) => {
      for (const { id, name, entry } of uses.find(checked, 'interrupted')) {
        report(entry, `the last call, ${quote(id)} of ${quote(name)}, has no result`);
      }
    }),
};

/** A result of nothing. */
export const resultUncalled: Rule = {
  id: 'result-uncalled',
  level: 'warning',
  fixable: false,
  summary: 'a tool result in the conversation of Claude Code without its call before it',
  help:
    'The call is on another branch, above a missing parent, or its line is lost. Claude Code ' +
    'leaves the result out, and sends "(no content)" if the message holds nothing else; the ' +
    'session works. Find out what cuts the path off.',
  collect: findToolUses,
  reads: USES,
  check: (report, file) =>
    checkUses(file, (uses, checked) => {
      for (const { id, entry } of uses.find(checked, 'uncalled')) {
        report(entry, `the result of ${quote(id)} has no call before it`);
      }
    }),
};

/** Two results of one call. */
export const resultRepeated: Rule = {
  id: 'result-repeated',
  level: 'warning',
  fixable: false,
  summary: 'a second result in the conversation of Claude Code for one tool call',
  help:
    'Two lines on the path hold a result of the same call. Claude Code sends the first and leaves ' +
    'out the second. Two processes that wrote to one session at once cause this, and so do files ' +
    'that were merged.',
  collect: findToolUses,
  reads: USES,
  check: (report, file) =>
    checkUses(file, (uses, checked) => {
      for (const { id, entry } of uses.find(checked, 'repeated')) {
        report(entry, `the call ${quote(id)} has another result before this one`);
      }
    }),
};

function checkUses(
  file: FileFacts,
  check: (uses: ToolUses, checked: CheckedSession) => void,
): Check {
  const uses = findToolUses(file);
  return { session: (checked) => check(uses, checked) };
}
